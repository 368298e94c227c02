/** Unpacks the package's browser into the directory for temporary files, and prints its path. */
import chromium from "@sparticuz/chromium";

console.log(await chromium.executablePath());
