/** The values that explain the change, in one line. */
export function WhyLine() {
	return null;
}
