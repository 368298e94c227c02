"use client";

import { Loader, Modal, Text, TextInput, VisuallyHidden } from "@mantine/core";
import { useRouter } from "next/navigation";
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { toApiError } from "@/app/ui/api-error";
import { IconSearch } from "@/app/ui/icons";
import { FoundItem, idOf, useAddressOf } from "./found-item";
import styles from "./quick-search.module.css";
import type { EarlyTyping } from "./search-button";
import { type Found, type FoundGroup, useQuickSearch } from "./use-quick-search";

// A text field with a list of choices (ARIA’s combobox pattern). HTML has no elements for it, and Mantine’s Spotlight
// sets none of these roles.
const COMBOBOX = { role: "combobox" } as const;
const LISTBOX = { role: "listbox" } as const;
const GROUP = { role: "group" } as const;

interface Props {
  /** Returns the keys that were typed before the field existed. */
  takeTyped: () => EarlyTyping;
  onClose: () => void;
}

/** Searches pages, messages, contacts and keys for the typed text, and opens the result. */
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
  const listId = useId();
  const router = useRouter();
  const addressOf = useAddressOf();
  const search = useQuickSearch(typed);
  const { groups, isLoading } = search;
  const all = groups.flatMap(({ found }) => found);
  const go = (found: Found) => {
    onClose();
    router.push(addressOf(found));
  };
  const { active, choose, beginAnew, onKeyDown } = useActiveFound({ all, isLoading, onGo: go });
  useLayoutEffect(() => {
    field.current?.focus();
    const early = takeTyped();
    setTyped(early.text);
    beginAnew(early.isEntered);
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  return (
    <>
      <TextInput
        ref={field}
        size="lg"
        variant="unstyled"
        className={styles.field}
        leftSection={isLoading ? <Loader size={18} /> : <IconSearch size={20} aria-hidden />}
        placeholder="Page, number, name or any ID"
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
          beginAnew();
        }}
        onKeyDown={onKeyDown}
      />
      <FoundList id={listId} groups={groups} active={active} onHover={choose} onChoose={go} />
      <Outcome search={search} count={all.length} isTyped={typed.trim() !== ""} />
    </>
  );
}

function FoundList({
  id: listId,
  groups,
  active,
  onHover,
  onChoose,
}: {
  id: string;
  groups: readonly FoundGroup[];
  active: Found | undefined;
  onHover: (found: Found) => void;
  onChoose: (found: Found) => void;
}) {
  return (
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
              onHover={() => onHover(one)}
              onChoose={() => onChoose(one)}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

/** The outcome of the search, also for users who don’t see the list. */
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
          {toApiError(error).message}
        </Text>
      )}
      {isSecret ? (
        <Text size="sm" p="md">
          This is an API key. Keys are secret, so this search doesn’t use it.
        </Text>
      ) : null}
      {isNothing && !isSecret && error === null ? (
        <Text size="sm" p="md" c="dimmed">
          No matches. Enter at least the last six digits of a number, or a complete ID.
        </Text>
      ) : null}
      {count > 0 && isTyped && !isLoading ? <VisuallyHidden>{count} found</VisuallyHidden> : null}
    </output>
  );
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** Tracks which search result is active, by keyboard or mouse: the first one, until the user chooses. */
function useActiveFound({
  all,
  isLoading,
  onGo,
}: {
  all: readonly Found[];
  /** True while results may still arrive. */
  isLoading: boolean;
  onGo: (found: Found) => void;
}) {
  const [chosen, setChosen] = useState<string | null>(null);
  const [isEntered, setIsEntered] = useState(false);
  const active = all.find((found) => idOf(found) === chosen) ?? all[0];
  // Somebody who pastes an id and presses Enter wants the result that is about to arrive.
  const awaited = isEntered && !isLoading ? active : undefined;
  useEffect(() => {
    if (awaited !== undefined) onGo(awaited);
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
      else onGo(active);
    }
  };
  return {
    active,
    choose: (found: Found) => setChosen(idOf(found)),
    /** Resets the choice for another text. @param entered whether Enter was pressed after it. */
    beginAnew: (entered = false) => {
      setChosen(null);
      setIsEntered(entered);
    },
    onKeyDown,
  };
}
