export const NOTHING = {
  name: "",
  phoneNumberId: "",
  wabaId: "",
  accessToken: "",
  appSecret: "",
  verifyToken: "",
  isDefault: false,
  alreadyInUse: false,
};

type Values = typeof NOTHING;

/** In display order. */
export const FIELDS = ["name", "phoneNumberId", "wabaId", "accessToken", "appSecret", "verifyToken"] as const;
export type Field = (typeof FIELDS)[number];

export type Faults = Readonly<Partial<Record<Field, string>>>;

const REQUIRED: readonly Field[] = ["name", "phoneNumberId", "wabaId", "accessToken", "appSecret"];
const IDS: readonly Field[] = ["phoneNumberId", "wabaId"];
const TOKENS: readonly Field[] = ["accessToken", "appSecret", "verifyToken"];

/** Returns all errors that can be found without a request: the server names only the first one. */
export function faultsOf(values: Values): Faults {
  const faults: Partial<Record<Field, string>> = {};
  for (const field of FIELDS) {
    const value = values[field].trim();
    if (value === "") {
      if (REQUIRED.includes(field)) faults[field] = "This field is required.";
    } else if (IDS.includes(field) && !/^[0-9]{1,32}$/.test(value)) {
      faults[field] = "Must be 1 to 32 digits.";
    } else if (TOKENS.includes(field) && !/^[\x21-\x7e]+$/.test(value)) {
      faults[field] = "Must contain only ASCII letters, digits and symbols, without spaces.";
    }
  }
  return faults;
}

export function withoutFault(faults: Faults, field: Field): Faults {
  const { [field]: _, ...rest } = faults;
  return rest;
}

/** Ids and tokens are often copied with the whitespace around them. */
export function inputOf({ phoneNumberId, wabaId, accessToken, appSecret, verifyToken, ...rest }: Values) {
  const ownToken = verifyToken.trim();
  return {
    ...rest,
    phoneNumberId: phoneNumberId.trim(),
    wabaId: wabaId.trim(),
    accessToken: accessToken.trim(),
    appSecret: appSecret.trim(),
    ...(ownToken === "" ? {} : { verifyToken: ownToken }),
  };
}
