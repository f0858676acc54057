/** What the address opens above the report: all rows of a list, or the definition of a metric. */
export function ReportPanel() {
	return null;
}
