/** Any metrics by any dimensions. */
export function ExploreScreen() {
	return null;
}
