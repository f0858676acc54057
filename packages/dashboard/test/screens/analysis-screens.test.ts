import { checkScreens } from "../support/check-screens.ts";

checkScreens([
	"/sites/shop/goals",
	"/sites/shop/goals/events?period=7d",
	"/sites/shop/goals/properties",
	"/sites/shop/funnels?view=page:/&view=event:purchase",
	"/sites/shop/explore",
	"/sites/shop/bots",
	"/sites/shop/settings/install",
	"/sites/empty/settings/install?view=new",
]);
