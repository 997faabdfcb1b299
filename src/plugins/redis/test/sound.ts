import { redisIsHere } from '#test/redis.ts'

/** What the doctor says of Redis, which the set-up has if it is installed here. */
export default [redisIsHere() ? /^ok {4}redis {10}answers in .* ms$/ : /^ok {4}redis {10}none is configured/]
