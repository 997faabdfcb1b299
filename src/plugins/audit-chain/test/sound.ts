/** What the doctor says of an audit whose rows are linked. */
export default [/^ok {4}audit {10}its rows are linked; atrium audit verify checks them$/]
