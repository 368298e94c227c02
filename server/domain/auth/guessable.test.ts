import { describe, expect, test } from "vitest";
import { isCommon, nameWithin } from "./guessable";

describe("a password", () => {
  test.each([
    "123456789012",
    "210987654321",
    "abcdefghijkl",
    "qwertyuiopas",
    "qwertzuiopas",
    "1qaz2wsx3edc",
    "aaaaaaaaaaaa",
    "abcabcabcabca",
    "passwordpassword",
    "Password1password1",
    "Password2026!",
    "!!P@ssw0rd!!",
    "ｐａｓｓｗｏｒｄ１２３４",
    "sunshine12345",
    "PeanutButter",
    "1q2w3e4r5t6y",
    "123456789abc",
  ])("such as %s is common", (password) => {
    expect(isCommon(password)).toBe(true);
  });

  test.each([
    "correct horse battery",
    "another horse battery",
    "a sentence that only I would say",
    "kW8!vnQ2-z7P",
    "749302518864",
    "password of my grandmother",
  ])("such as %s isn’t", (password) => {
    expect(isCommon(password)).toBe(false);
  });

  test.each([
    ["I am Ada.Lovelace, hello", "ada.lovelace+work@example.com", "ada.lovelace"],
    ["sending by WayPost", "ada@example.com", "waypost"],
    ["in Canada it is cold", "ada@example.com", null],
    ["correct horse battery", "grace.hopper@example.com", null],
  ])("%j of %s has %j within it", (password, email, within) => {
    expect(nameWithin(password, email)).toBe(within);
  });
});
