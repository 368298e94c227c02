"use client";

import { Button, Group, Stack, Text, Textarea } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Fault } from "@/app/ui/query-state";
import { useTRPC } from "@/app/ui/trpc";
import { useAction } from "@/app/ui/use-action";
import { useViewer } from "../shared/viewer";

const LISTS = [
  { name: "optOutWords", label: "Opt-out words", description: "One word or phrase per line" },
  { name: "optInWords", label: "Opt-in words", description: "One word or phrase per line" },
] as const;

type Texts = Readonly<Record<(typeof LISTS)[number]["name"], string>>;

const linesOf = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

const textsOf = (words: { readonly [Name in keyof Texts]: readonly string[] }): Texts => ({
  optOutWords: words.optOutWords.join("\n"),
  optInWords: words.optInWords.join("\n"),
});

/** Sets the words by which customers opt out of marketing messages and in again. */
export function MarketingWordsForm() {
  const { organization } = useViewer();
  const saved = textsOf(organization.marketingWords);
  const [texts, setTexts] = useState(saved);
  const router = useRouter();
  const { mutateAsync } = useMutation(useTRPC().organization.setMarketingWords.mutationOptions());
  const form = useAction(async () => {
    const words = await mutateAsync({
      optOutWords: linesOf(texts.optOutWords),
      optInWords: linesOf(texts.optInWords),
    });
    setTexts(textsOf(words));
    router.refresh();
  }, "The words were saved.");
  const isSame = LISTS.every(({ name }) => linesOf(texts[name]).join("\n") === saved[name]);
  return (
    <form onSubmit={form.onSubmit} noValidate>
      <Stack gap="sm">
        <Fault of={form.faultBeside("optOutWords", "optInWords")} />
        {LISTS.map(({ name, label, description }) => (
          <Textarea
            key={name}
            label={label}
            description={description}
            name={name}
            autosize
            minRows={3}
            maxRows={10}
            value={texts[name]}
            error={form.faultAt(name)}
            onChange={({ currentTarget }) => setTexts({ ...texts, [name]: currentTarget.value })}
          />
        ))}
        <Group>
          <Button type="submit" variant="default" loading={form.isBusy} disabled={isSame}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Shows the words to members who can’t change them. */
export function MarketingWords() {
  const { marketingWords } = useViewer().organization;
  return (
    <Stack gap="xs">
      {LISTS.map(({ name, label }) => (
        <Text key={name}>
          {label}: {marketingWords[name].length === 0 ? "none" : marketingWords[name].join(", ")}
        </Text>
      ))}
    </Stack>
  );
}
