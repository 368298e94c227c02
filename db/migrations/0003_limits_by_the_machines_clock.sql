-- Rate limits count by the machine's clock, also where the clock of a demo is moved (db/movable-clock.ts): callers see
-- the time of the next free unit, and wait for it by their own clock.
DO $$ BEGIN
  EXECUTE replace(pg_get_functiondef('take_rate_units'::regproc),
    'FROM clock_timestamp()', 'FROM pg_catalog.clock_timestamp()');
END $$;
