import { checkScreens } from "../support/check-screens.ts";

checkScreens([
	"/sites/shop/goals",
	"/sites/shop/goals/events?period=7d",
	"/sites/shop/goals/properties?view=key:plan",
	"/sites/shop/funnels?view=page:/&view=event:purchase",
	"/sites/shop/explore?view=row:device_type&view=row:os&view=col:utm_medium&view=fig:entrances&view=fig:revenue",
	"/sites/shop/explore?view=row:utm_source&view=col:device_type&view=as:bars",
	"/sites/shop/explore?view=row:date&view=col:device_type&view=as:lines",
	"/sites/shop/bots",
	"/sites/empty/goals",
	"/sites/shop/settings/install",
	"/sites/empty/goals",
	"/sites/empty/settings/install?view=new",
]);
