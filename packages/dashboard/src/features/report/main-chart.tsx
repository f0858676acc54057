/** The chosen metric over time, with what it is compared with. */
export function MainChart() {
	return null;
}
