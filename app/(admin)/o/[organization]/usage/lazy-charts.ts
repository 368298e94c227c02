import dynamic from "next/dynamic";

/** The chart library is most of the page's script, so it is loaded only when there is something to draw. */
export const StatesChart = dynamic(() => import("./charts").then((charts) => charts.StatesChart), {
  ssr: false,
});
export const RefusalsChart = dynamic(() => import("./charts").then((charts) => charts.RefusalsChart), {
  ssr: false,
});
export const LatencyChart = dynamic(() => import("./charts").then((charts) => charts.LatencyChart), {
  ssr: false,
});
