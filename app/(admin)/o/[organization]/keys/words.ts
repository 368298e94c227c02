import type { ScopeName } from "./types";

const GROUP_LABELS: Readonly<Record<string, string>> = {
  messages: "Messages",
  contacts: "Contacts",
  templates: "Templates",
  webhooks: "Webhooks",
};

/** Groups scopes by subject, in the order in which they came. */
export function scopeGroups<T extends { readonly name: ScopeName }>(scopes: readonly T[]) {
  const groups = new Map<string, T[]>();
  for (const scope of scopes) {
    const [noun = ""] = scope.name.split(":", 1);
    groups.set(noun, [...(groups.get(noun) ?? []), scope]);
  }
  return [...groups].map(([noun, members]) => ({ noun, label: GROUP_LABELS[noun] ?? noun, members }));
}

/** Returns a text such as `messages: send, read; contacts: read`. */
export function scopesInWords(scopes: readonly ScopeName[]): string {
  return scopeGroups(scopes.map((name) => ({ name })))
    .map(
      ({ noun, members }) => `${noun}: ${members.map(({ name }) => name.slice(noun.length + 1)).join(", ")}`,
    )
    .join("; ");
}
