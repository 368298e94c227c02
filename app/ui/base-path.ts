/** The public API's path. Apart from the samples, which are large. */
export const BASE_PATH = "/api/public/v1";
