/** Properties of events, their values and sources. */
export function PropertiesScreen() {
	return null;
}
