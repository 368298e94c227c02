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

const IS_TOKEN = /^EAA/;
const IS_SECRET = /^(?=.*[a-f])[0-9a-f]{32}$/;
const IS_ID = /^[0-9]{14,20}$/;
/** With a plus sign or separators; or digits alone, of which Meta's IDs have more. */
const IS_PHONE_NUMBER = /^(?=.*[ ()+/.-])\+?[0-9(][0-9 ()/.-]{5,24}$|^\+?[0-9]{8,13}$/;

/** Returns all errors that can be found without a request: the server names only the first one. */
export function faultsOf(values: Values): Faults {
  const found = FIELDS.map((field) => [field, faultOf(field, values)] as const);
  return Object.fromEntries(found.filter(([, fault]) => fault !== null));
}

function faultOf(field: Field, values: Values): string | null {
  const value = values[field].trim();
  if (value === "") return REQUIRED.includes(field) ? "This field is required." : null;
  if (field === "name") return null;
  return field === "phoneNumberId" || field === "wabaId"
    ? faultOfId(field, value, values)
    : faultOfSecret(field, value, values);
}

function faultOfId(field: "phoneNumberId" | "wabaId", value: string, values: Values): string | null {
  if (IS_TOKEN.test(value)) return "This is an access token. Enter the ID here.";
  if (IS_SECRET.test(value)) return "This is an app secret. Enter the ID here.";
  if (IS_PHONE_NUMBER.test(value))
    return "This is a phone number. Enter Meta’s ID, which has 15 to 17 digits.";
  if (!/^[0-9]{1,32}$/.test(value)) return "Must contain only digits.";
  if (field === "wabaId" && value === values.phoneNumberId.trim()) {
    return "This is the phone number ID. Enter the ID of the account, which stands beside it.";
  }
  return null;
}

function faultOfSecret(
  field: "accessToken" | "appSecret" | "verifyToken",
  value: string,
  values: Values,
): string | null {
  if (field === "accessToken" && /^Bearer\s/i.test(value)) return "Enter the token without “Bearer”.";
  if (!/^[\x21-\x7e]+$/.test(value)) {
    return "Must contain only ASCII letters, digits and symbols, without spaces.";
  }
  if (field === "verifyToken") {
    const [token, secret] = [values.accessToken.trim(), values.appSecret.trim()];
    return value === token || value === secret ? "Must be a password of its own." : null;
  }
  if (IS_ID.test(value)) return `This is an ID. Enter the ${NAMES[field]} here.`;
  return field === "accessToken" ? faultOfToken(value) : faultOfAppSecret(value);
}

const NAMES = { accessToken: "access token", appSecret: "app secret" } as const;

function faultOfToken(value: string): string | null {
  if (IS_SECRET.test(value)) return "This is an app secret. Enter the access token, which begins with EAA.";
  if (/^[0-9]+\|/.test(value)) {
    return "This is an app’s own token, which can’t send messages. Enter the token of a system user.";
  }
  return null;
}

function faultOfAppSecret(value: string): string | null {
  return IS_TOKEN.test(value)
    ? "This is an access token. Enter the app secret, which has 32 characters."
    : null;
}

export function withoutFault(faults: Faults, field: Field): Faults {
  const { [field]: _, ...rest } = faults;
  return rest;
}

/** Ids and tokens are often copied with the whitespace around them. */
export function inputOf({ verifyToken, name, isDefault, alreadyInUse, ...rest }: Values) {
  const ownToken = verifyToken.trim();
  return {
    name,
    isDefault,
    alreadyInUse,
    ...checkedOf(rest),
    ...(ownToken === "" ? {} : { verifyToken: ownToken }),
  };
}

/** Returns the values that Meta can check. */
export function checkedOf({
  phoneNumberId,
  wabaId,
  accessToken,
  appSecret,
}: Pick<Values, "phoneNumberId" | "wabaId" | "accessToken" | "appSecret">) {
  return {
    phoneNumberId: phoneNumberId.trim(),
    wabaId: wabaId.trim(),
    accessToken: accessToken.trim(),
    appSecret: appSecret.trim(),
  };
}
