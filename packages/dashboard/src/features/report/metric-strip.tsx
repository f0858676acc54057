/** The totals of the period with their change; one of them is drawn in the chart. */
export function MetricStrip() {
	return null;
}
