/** The change of a metric, split by each dimension. */
export function WhyScreen() {
	return null;
}
