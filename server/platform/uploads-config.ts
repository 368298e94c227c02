import { z } from "zod";

/** Where the bytes of files are stored. */
export type UploadsConfig =
  | { readonly kind: "disk" }
  | {
      readonly kind: "s3";
      readonly bucket: string;
      /** Of all keys; empty, or with a slash at its end. */
      readonly prefix: string;
      /** Null: that of AWS for the region. */
      readonly endpoint: string | null;
      readonly region: string;
    };

const REGION_DEFAULT = "us-east-1";
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
/** Characters that are safe in keys, and need no escaping. */
const PREFIX = /^[\w.!'()/-]*$/;
const PARAMETERS = new Set(["endpoint", "region"]);

/** The variable that chooses the store of files. */
export const UPLOADS_VARIABLES = {
  WAYPOST_UPLOADS: {
    schema: z
      .string()
      .refine((text) => readAddress(text) !== null)
      .optional(),
    expected:
      "s3://bucket, s3://bucket/prefix, or either with ?region=NAME, and with endpoint=URL for another service than AWS's",
    purpose:
      "S3-compatible store for uploads and customers' files, instead of the data directory. The credentials are AWS's usual variables, such as `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`",
  },
} as const satisfies Record<string, { schema: z.ZodType; expected: string; purpose: string }>;

/** Returns the store that the variable names. It was checked before. */
export function uploadsConfig({
  WAYPOST_UPLOADS: text,
}: {
  readonly WAYPOST_UPLOADS?: string | undefined;
}): UploadsConfig {
  return (text === undefined ? null : readAddress(text)) ?? { kind: "disk" };
}

function readAddress(text: string): UploadsConfig | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.protocol !== "s3:" || !BUCKET.test(url.host) || url.username + url.hash !== "")
    return null;
  const names = [...url.searchParams.keys()];
  if (names.some((name) => !PARAMETERS.has(name)) || new Set(names).size < names.length) return null;
  const endpoint = url.searchParams.get("endpoint");
  const isEndpoint =
    endpoint === null || (URL.canParse(endpoint) && /^https?:$/.test(new URL(endpoint).protocol));
  const path = url.pathname.replace(/^\/+|\/+$/g, "");
  if (!isEndpoint || !PREFIX.test(path)) return null;
  const region = url.searchParams.get("region") ?? REGION_DEFAULT;
  return { kind: "s3", bucket: url.host, prefix: path === "" ? "" : `${path}/`, endpoint, region };
}
