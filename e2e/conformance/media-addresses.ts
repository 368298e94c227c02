import { FORBIDDEN, INVALID_KEY, MIME_TYPES, PUBLIC_URL, sendMedia, TYPES, type Type } from "./media";
import { ACCEPTED, refused, type Scenario } from "./scenario";

/** File extensions of each type. */
const EXTENSIONS = {
  image: ".jpg",
  audio: ".mp3",
  video: ".mp4",
  document: ".pdf",
} as const satisfies Record<Type, string>;

/** The URL of a file: which hosts are allowed, and which extensions. */
export const mediaAddresses: readonly Scenario[] = [
  ...[
    "https://example.com/a.png",
    "HTTPS://EXAMPLE.com:8443/a.png?x=1#y",
    "https://bücher.example/größe.png",
    "https://name-that-nobody-has.invalid/a.png",
    "https://[2606:4700::1111]/a.png",
  ].map((url): Scenario => ({
    name: `the address ${url} may be one of the public internet`,
    request: (world) => sendMedia(world, "image", { url }),
    expected: ACCEPTED,
  })),
  ...[
    "http://8.8.8.8/a.png",
    "ftp://8.8.8.8/a.png",
    "file:///etc/passwd",
    "data:image/png;base64,AAAA",
    "8.8.8.8/a.png",
    "not a url",
    "",
    "https://user:pass@8.8.8.8/",
    "https://@8.8.8.8/",
    "https://8.8.8.8\\@127.0.0.1/",
    "https://127.0.0.1/",
    "https://127.1/",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0177.0.0.1/",
    "https://%31%32%37.0.0.1/",
    "https://１２７.0.0.1/",
    "https://0.0.0.0/",
    "https://10.0.0.1/",
    "https://100.64.0.1/",
    "https://169.254.169.254/latest/meta-data/",
    "https://172.31.255.255/",
    "https://192.168.0.1/",
    "https://198.18.0.1/",
    "https://224.0.0.1/",
    "https://255.255.255.255/",
    "https://[::]/",
    "https://[::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:7f00:1]/",
    "https://[64:ff9b::a00:1]/",
    "https://[2002:7f00:1::]/",
    "https://[2001:0:7f00:1::]/",
    "https://[2001:db8::1]/",
    "https://[fc00::1]/",
    "https://[fe80::1]/",
    "https://[ff02::1]/",
    "https://localhost/",
    "https://localhost./",
    "https://LOCALHOST:8443/",
    "https://api.localhost/",
    "https://printer.local/",
    "https://metadata.google.internal/",
    "https://facebookcorewwwi.onion/",
    "https://postgres:5432/",
  ].map((url): Scenario => ({
    name: `the address "${url}" isn't a public one`,
    request: (world) => sendMedia(world, "image", { url }),
    expected: FORBIDDEN,
  })),
  ...TYPES.flatMap((type) =>
    [...TYPES.filter((other) => other !== type).map((other) => EXTENSIONS[other]), ".gif", ".Zip"].flatMap(
      (extension): Scenario[] => [
        {
          name: `type ${type} takes no address that ends in ${extension} without a mime_type`,
          request: (world) => sendMedia(world, type, { url: `${PUBLIC_URL}${extension}?a=b` }),
          expected: refused(400, "invalid_media", "media.url"),
        },
        {
          name: `type ${type} takes an address that ends in ${extension} with the mime_type`,
          request: (world) =>
            sendMedia(world, type, { url: PUBLIC_URL + extension, mime_type: MIME_TYPES[type][0] }),
          expected: ACCEPTED,
        },
      ],
    ),
  ),
  ...TYPES.map((type): Scenario => ({
    name: `type ${type} takes an address that ends in ${EXTENSIONS[type]}`,
    request: (world) => sendMedia(world, type, { url: PUBLIC_URL + EXTENSIONS[type] }),
    expected: ACCEPTED,
  })),
  {
    name: "a type in the query of an address isn't what its path ends in",
    request: (world) => sendMedia(world, "image", { url: `${PUBLIC_URL}?name=a.gif` }),
    expected: ACCEPTED,
  },
  {
    name: "an address that isn't public is refused as that, whatever it ends in",
    request: (world) => sendMedia(world, "image", { url: "https://127.0.0.1/a.gif" }),
    expected: FORBIDDEN,
  },
  {
    name: "an address is checked beside a storage_key too, after it",
    request: (world) => sendMedia(world, "image", { storage_key: "unknown", url: "https://127.0.0.1/" }),
    expected: INVALID_KEY,
  },
];
