import { requestSamples, SAMPLE_LANGUAGES, type SampleRequest } from "@/app/ui/request-samples";
import { Code } from "../parts/code";
import styles from "./samples.module.css";

/**
 * A request in each language. Radio buttons choose the language, so it needs no JavaScript; with JavaScript, the choice
 * is remembered (sample-language.tsx).
 * @param id unique on the page.
 */
export function Samples({ id, request }: { id: string; request: SampleRequest }) {
  const samples = requestSamples(request);
  return (
    <div className={styles.samples}>
      <fieldset className={styles.languages}>
        <legend className={styles.legend}>Language of the sample</legend>
        {SAMPLE_LANGUAGES.map(({ language, title }, index) => (
          <label key={language}>
            <input type="radio" name={`sample-${id}`} value={language} defaultChecked={index === 0} />
            {title}
          </label>
        ))}
      </fieldset>
      {SAMPLE_LANGUAGES.map(({ language, fence }) => (
        <div key={language} className={styles[language]}>
          <Code text={samples[language]} language={fence} sample={`${id}:${language}`} />
        </div>
      ))}
    </div>
  );
}
