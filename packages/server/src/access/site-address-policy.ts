/** A request, as far as rules on addresses look at it. */
export interface SiteVisit {
	readonly credential: "session" | "key" | "oauth" | "share";
	/**
	 * The signed-in user, the owner of the key, or the user who approved the app; null = a reader of a shared link.
	 */
	readonly userId: number | null;
	/** True for a superadmin's session, which no rule refuses; false for keys and apps of any owner. */
	readonly isSuperadmin: boolean;
	/** Client address, as trusted proxies tell it. */
	readonly ip: string;
	readonly userAgent: string | undefined;
}

/** Which addresses may open a site. */
export interface SiteAddressPolicy {
	/** False for a site that every address may open. Never waits. */
	hasRules(siteId: string): boolean;
	/** Decides on a visit that names the site; the decision is recorded. */
	admit(siteId: string, visit: SiteVisit): Promise<boolean>;
	/** The same without a record, for lists of several sites, which leave the others out. Never waits. */
	opens(siteId: string, visit: SiteVisit): boolean;
}
