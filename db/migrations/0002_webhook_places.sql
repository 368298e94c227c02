-- How many more calls to an endpoint may start now, over all processes: none while it backs off, and one at a time until
-- it has proved that it is reachable again. Holds the endpoint's lock until the end of the transaction. The lock doesn't
-- block transactions that only reference the row: events are stored for it concurrently.
-- A function, because each of its statements sees what was committed before it: the one that counts, also what was
-- committed during the wait for the lock.
CREATE FUNCTION webhook_places(p_endpoint uuid, p_in_flight_max integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  endpoint webhook_endpoints;
BEGIN
  SELECT * INTO endpoint FROM webhook_endpoints WHERE id = p_endpoint FOR NO KEY UPDATE;
  IF NOT FOUND OR endpoint.url IS NULL OR endpoint.disabled_at IS NOT NULL OR endpoint.deleted_at IS NOT NULL
    OR (endpoint.backoff_streak > 0 AND endpoint.backoff_until > clock_timestamp()) THEN
    RETURN 0;
  END IF;
  RETURN CASE WHEN endpoint.backoff_streak = 0 THEN p_in_flight_max ELSE 1 END - (
    SELECT count(*) FROM webhook_deliveries
    WHERE endpoint_id = p_endpoint AND is_pending AND claim_token IS NOT NULL AND claimed_until > clock_timestamp());
END $$;
