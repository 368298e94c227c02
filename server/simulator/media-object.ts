import { isLonger, shown, type Fields } from "./fields";
import { invalidParameter as invalid, missingParameter, type GraphError } from "./graph-errors";

/** The longest caption of each kind of media, in code points. Other kinds, and headers, have none. */
const captionLengthMax: Readonly<Record<string, number>> = { image: 1024, video: 1024, document: 1024 };

/**
 * Returns the error of a media object, such as `{ link, caption }`. Null if it is valid.
 * @param where its path in the request, such as `image`.
 */
export function mediaObjectProblem({ id, link, caption }: Fields, where: string): GraphError | null {
  if (typeof id !== "string" && typeof link !== "string")
    return missingParameter("Either id or link is required.");
  if (typeof id === "string" && typeof link === "string") {
    return invalid(`Param ${where} must have either id or link, not both.`);
  }
  const problem = typeof link === "string" ? linkProblem(link, `${where}['link']`) : null;
  if (problem !== null || caption === undefined) return problem;
  const max = captionLengthMax[where];
  if (max === undefined) return invalid(`Unexpected key "caption" on param "${where}".`);
  if (typeof caption === "string" && !isLonger(caption, max)) return null;
  return invalid(`Param ${where}['caption'] must be at most ${max} characters long.`);
}

/** Returns the error of a URL that Meta can't download. Null if it is an http(s) one. */
export function linkProblem(link: string, where: string): GraphError | null {
  const isValid = URL.canParse(link) && /^https?:$/.test(new URL(link).protocol);
  return isValid ? null : invalid(`Param ${where} is not a valid URI - got "${shown(link)}".`);
}
