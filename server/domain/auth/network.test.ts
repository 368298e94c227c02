import { expect, test } from "vitest";
import { networkOf } from "./network";

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"],
  ["2001:db8:1:2::", "2001:db8:1:2::"],
  ["2001:DB8:1:2:ffff::1", "2001:db8:1:2::"],
  ["2001:db8:1:3::1", "2001:db8:1:3::"],
  ["fe80::1%eth0", "fe80::"],
  ["::1", "::"],
  ["not an address", "not an address"],
])("%s is of the network %s", (address, network) => expect(networkOf(address)).toBe(network));
