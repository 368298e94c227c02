/** Below it stands the public API. */
export const BASE_PATH = "/api/public/v1";
