/** A new site in three steps. */
export function NewSiteScreen() {
	return null;
}
