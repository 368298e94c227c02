"use client";

import { Loader, Modal, Text, TextInput, VisuallyHidden } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useRouter } from "next/navigation";
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { refusalOf } from "@/app/ui/refusal";
import { FoundItem, idOf, useAddressOf } from "./found-item";
import styles from "./quick-search.module.css";
import type { EarlyTyping } from "./use-early-typing";
import { type Found, useQuickSearch } from "./use-quick-search";

// A field that chooses from a list beside it (ARIA’s combobox pattern): HTML has no elements for it.
const COMBOBOX = { role: "combobox" } as const;
const LISTBOX = { role: "listbox" } as const;
const GROUP = { role: "group" } as const;

interface Props {
  /** What was typed before the field was there. */
  takeTyped: () => EarlyTyping;
  onClose: () => void;
}

/** Finds pages, messages, contacts and keys by what is typed, and goes there. */
export function QuickSearch(props: Props) {
  return (
    <Modal.Root opened onClose={props.onClose} size={640} yOffset="10vh" transitionProps={{ duration: 0 }}>
      <Modal.Overlay backgroundOpacity={0.35} />
      <Modal.Content aria-label="Search">
        <Search {...props} />
      </Modal.Content>
    </Modal.Root>
  );
}

function Search({ takeTyped, onClose }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState<string | null>(null);
  const [isEntered, setIsEntered] = useState(false);
  const listId = useId();
  useLayoutEffect(() => {
    field.current?.focus();
    const early = takeTyped();
    setTyped(early.text);
    setIsEntered(early.isEntered);
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  const router = useRouter();
  const addressOf = useAddressOf();
  const search = useQuickSearch(typed);
  const { groups, isLoading } = search;
  const all = groups.flatMap(({ found }) => found);
  const active = all.find((found) => idOf(found) === chosen) ?? all[0];
  const go = (found: Found) => {
    onClose();
    router.push(addressOf(found));
  };
  // Who pastes an id and presses Enter means what it will have found.
  const awaited = isEntered && !isLoading ? active : undefined;
  useEffect(() => {
    if (awaited !== undefined) go(awaited);
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [awaited]);
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    const step = STEPS[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const at = active === undefined ? -1 : all.indexOf(active);
      const next = all[(at + step + all.length) % all.length];
      if (next !== undefined) setChosen(idOf(next));
    }
    if (event.key === "Enter") {
      event.preventDefault();
      if (active === undefined) setIsEntered(true);
      else go(active);
    }
  };
  return (
    <>
      <TextInput
        ref={field}
        size="lg"
        variant="unstyled"
        className={styles.field}
        leftSection={isLoading ? <Loader size={18} /> : <IconSearch size={20} aria-hidden />}
        placeholder="Page, number, name, or an id of any kind"
        aria-label="Search"
        {...COMBOBOX}
        aria-expanded={all.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={active === undefined ? undefined : `${listId}-${idOf(active)}`}
        data-autofocus
        autoComplete="off"
        spellCheck={false}
        maxLength={500}
        value={typed}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setChosen(null);
          setIsEntered(false);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={listId} {...LISTBOX} aria-label="Found" className={styles.list}>
        {groups.map(({ label, found }) => (
          <div key={label} {...GROUP} aria-label={label} className={styles.group}>
            <div className={styles.groupLabel} aria-hidden>
              {label}
            </div>
            {found.map((one) => (
              <FoundItem
                key={idOf(one)}
                found={one}
                id={`${listId}-${idOf(one)}`}
                isActive={one === active}
                onHover={() => setChosen(idOf(one))}
                onChoose={() => go(one)}
              />
            ))}
          </div>
        ))}
      </div>
      <Outcome search={search} count={all.length} isTyped={typed.trim() !== ""} />
    </>
  );
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** What came of it, also for those who don’t see the list. */
function Outcome({
  search: { isLoading, isSecret, error },
  count,
  isTyped,
}: {
  search: ReturnType<typeof useQuickSearch>;
  count: number;
  isTyped: boolean;
}) {
  const isNothing = count === 0 && !isLoading;
  return (
    <output className={styles.outcome}>
      {error === null ? null : (
        <Text size="sm" p="md" c="var(--mantine-color-error)">
          {refusalOf(error).message}
        </Text>
      )}
      {isSecret ? (
        <Text size="sm" p="md">
          This is an API key, which is a secret: it isn’t searched for here.
        </Text>
      ) : null}
      {isNothing && !isSecret && error === null ? (
        <Text size="sm" p="md" c="dimmed">
          Nothing fits. Numbers are found by six or more of their last digits, ids as a whole.
        </Text>
      ) : null}
      {count > 0 && isTyped && !isLoading ? <VisuallyHidden>{count} found</VisuallyHidden> : null}
    </output>
  );
}
