-- A message is written four times in its first minute: claimed, sent, delivered, read. With room on its page the last two
-- touch no index.
ALTER TABLE messages SET (fillfactor = 80);
