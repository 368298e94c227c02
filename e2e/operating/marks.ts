import { randomBytes, randomInt } from "node:crypto";

const random = () => randomBytes(12).toString("hex");

/** Values that must not leak anywhere; each can be recognized. */
export const MARKS = {
  secret: `mark-secret-${random()}-${random()}`,
  metricsToken: `mark-metrics-${random()}`,
  accessToken: `EAAmark${random()}`,
  appSecret: `markappsecret${random()}`,
  verifyToken: `markverify${random()}`,
  wrongKey: `ak_live_Mark${random()}`,
  password: `markpassword${random()}`,
  text: `marktext${random()}`,
  number: `49151${randomInt(10 ** 8, 10 ** 9)}`,
} as const;
