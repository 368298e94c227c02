-- Windows of the PostgreSQL limiter: lost in a crash of PostgreSQL by choice, so that taking a unit costs no WAL.
ALTER TABLE rate_windows SET UNLOGGED;
--> statement-breakpoint
ALTER TABLE rate_windows SET (fillfactor = 50);
--> statement-breakpoint
-- Takes up to `wanted` units of a window of 60 seconds, and says how many it got.
-- Sixty-one one-second counts are all counted whole, so never more than `allowed` units lie in any 60 seconds;
-- `frees_at` is the Unix second from which a further unit can be had (more of them, where some are free now),
-- at most 61 seconds away.
CREATE FUNCTION take_rate_units(
  p_subject uuid, p_bucket text, p_allowed integer, p_wanted integer,
  OUT granted integer, OUT remaining integer, OUT taken_second bigint, OUT frees_at bigint, OUT now_ms bigint
) LANGUAGE plpgsql AS $$
DECLARE
  held rate_windows;
  used integer;
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  INSERT INTO rate_windows AS w (subject, bucket, last_second, counts)
    VALUES (p_subject, p_bucket, 0, array_fill(0, ARRAY[61]))
    ON CONFLICT (subject, bucket) DO NOTHING;
  SELECT * INTO STRICT held FROM rate_windows WHERE subject = p_subject AND bucket = p_bucket FOR NO KEY UPDATE;

  now_ms := (extract(epoch FROM clock_timestamp()) * 1000)::bigint;
  -- A clock set back by less than a window must not free what was taken; one set back further starts anew,
  -- or a subject would be refused for as long as the clock was wrong.
  taken_second := now_ms / 1000;
  IF held.last_second BETWEEN taken_second AND taken_second + 60 THEN
    taken_second := held.last_second;
  END IF;
  IF abs(taken_second - held.last_second) > 60 THEN
    held.counts := array_fill(0, ARRAY[61]);
  ELSE
    FOR s IN held.last_second + 1 .. taken_second LOOP
      held.counts[1 + s % 61] := 0;
    END LOOP;
  END IF;

  SELECT coalesce(sum(c), 0) INTO used FROM unnest(held.counts) AS c;
  granted := least(p_wanted, greatest(p_allowed - used, 0));
  remaining := greatest(p_allowed - used - granted, 0);
  held.counts[1 + taken_second % 61] := held.counts[1 + taken_second % 61] + granted;

  used := used + granted;
  frees_at := taken_second;
  FOR s IN taken_second - 60 .. taken_second LOOP
    IF held.counts[1 + s % 61] > 0 THEN
      frees_at := s + 61;
      used := used - held.counts[1 + s % 61];
      EXIT WHEN used < p_allowed;
    END IF;
  END LOOP;

  IF granted > 0 OR taken_second <> held.last_second THEN
    UPDATE rate_windows SET last_second = taken_second, counts = held.counts
      WHERE subject = p_subject AND bucket = p_bucket;
  END IF;
END $$;
--> statement-breakpoint
-- Gives units back to the second they were taken in; those that have left the window are gone already.
CREATE FUNCTION give_back_rate_units(p_subject uuid, p_bucket text, p_second bigint, p_units integer)
RETURNS void LANGUAGE sql AS $$
  SELECT set_config('synchronous_commit', 'off', true);
  UPDATE rate_windows
    SET counts[1 + p_second % 61] = greatest(counts[1 + p_second % 61] - p_units, 0)
    WHERE subject = p_subject AND bucket = p_bucket AND last_second - p_second BETWEEN 0 AND 60;
$$;
