import type { Executor, SqlFragment } from "./client";

/** SQL: a UUIDv7, in the format of `newId`, for statements that know themselves how many are needed. */
export const newUuid = (sql: Executor): SqlFragment => sql`
  encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    placing substring(int8send(floor(extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6),
    52, 1), 53, 1), 'hex')::uuid`;
