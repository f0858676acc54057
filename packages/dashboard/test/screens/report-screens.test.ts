import { checkScreens } from "../support/check-screens.ts";

checkScreens(
	[
		"/sites",
		"/sites/new",
		"/sites/nowhere",
		"/sites/shop?metric2=revenue",
		"/sites/shop?panel=definition:bounce_rate",
		"/sites/shop?panel=sources",
		"/sites/shop?f=utm_source:eq:google&f=country:ne:US&compare=yoy&metric=revenue",
		"/sites/shop/why",
		"/sites/shop/live",
		"/sites/empty",
	],
	{ strangers: ["/sign-in", "/sign-up", "/forgot-password"] },
);
