/** What the doctor says of mail in development. */
export default [/^ok {4}mail {11}is kept in DATA_DIR and shown under \/mail$/]
