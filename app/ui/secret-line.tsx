"use client";

import { Button, Group, Textarea } from "@mantine/core";
import { useRef, useState } from "react";
import { IconCheck, IconCopy } from "./icons";

/** A line of text to copy, by its button or by hand. */
export function SecretLine({
  label,
  value,
  onCopied,
  hasFocus = false,
}: {
  label: string;
  value: string;
  onCopied: () => void;
  hasFocus?: boolean;
}) {
  const input = useRef<HTMLTextAreaElement>(null);
  const [isCopied, setCopied] = useState(false);
  const noteCopied = () => {
    setCopied(true);
    onCopied();
  };
  const copy = async () => {
    if (await copyText(value, input.current)) noteCopied();
  };
  return (
    <Group align="flex-end" gap="xs">
      {/* Several lines, so that all of it is visible, and tall enough for lines of underscores. */}
      <Textarea
        ref={input}
        autosize
        minRows={1}
        label={label}
        value={value}
        readOnly
        autoComplete="off"
        spellCheck={false}
        data-1p-ignore
        data-lpignore="true"
        ff="monospace"
        flex="1 1 14rem"
        miw={0}
        styles={{
          input: {
            fontFamily: "inherit",
            overflowWrap: "anywhere",
            // A command breaks between its words.
            wordBreak: value.includes(" ") ? "normal" : "break-all",
            lineHeight: 1.6,
          },
          label: { fontFamily: "var(--mantine-font-family)" },
        }}
        onFocus={(event) => event.currentTarget.select()}
        onCopy={noteCopied}
      />
      <Button
        variant={isCopied ? "light" : "default"}
        aria-label={isCopied ? `Copied: ${label}` : `Copy: ${label}`}
        data-autofocus={hasFocus || undefined}
        leftSection={isCopied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
        onClick={() => void copy()}
      >
        {isCopied ? "Copied" : "Copy"}
      </Button>
    </Group>
  );
}

/** Browsers offer the Clipboard API only on HTTPS and localhost. Elsewhere the old `execCommand` is used. */
async function copyText(text: string, input: HTMLTextAreaElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    input?.select();
    return document.execCommand("copy");
  }
}
