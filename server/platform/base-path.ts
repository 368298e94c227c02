/** Base path of the public API. */
export const BASE_PATH = "/api/public/v1";
