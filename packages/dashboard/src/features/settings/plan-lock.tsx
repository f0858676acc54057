import { useQuery } from "@tanstack/react-query";
import type { Answer } from "../../api/client.ts";
import { texts } from "../../lib/language.ts";
import { siteQuery, useSite } from "../site/index.ts";

/** Features that some plans lack. */
export type PlanFeature = Answer<"GET /sites/{id}">["plan_features"][number];

const t = texts({
	en: {
		lacks: {
			webhooks: "This site's plan doesn't include webhooks.",
			audit: "This site's plan doesn't include the activity log.",
			ip_allowlist: "This site's plan doesn't include the IP allowlist.",
		},
		stays: "Existing entries can be viewed and deleted. The operator of this service can change the plan.",
	},
	es: {
		lacks: {
			webhooks: "El plan de este sitio no incluye webhooks.",
			audit: "El plan de este sitio no incluye el registro de actividad.",
			ip_allowlist: "El plan de este sitio no incluye la lista de IP permitidas.",
		},
		stays: "Las entradas existentes se pueden ver y eliminar. El operador de este servicio puede cambiar el plan.",
	},
});

/** Tells whether the plan of the site has something; true until it is known, as the server decides in any case. */
export function usePlan(): (feature: PlanFeature) => boolean {
	const { data } = useQuery(siteQuery(useSite().id));
	return (feature) => data?.plan_features.includes(feature) ?? true;
}

/** Whether the plan of the site has one thing. */
export const usePlanHas = (feature: PlanFeature): boolean => usePlan()(feature);

/** Says that the plan lacks something; nothing where it has it. */
export function PlanLock({ feature }: { readonly feature: PlanFeature }) {
	if (usePlanHas(feature)) return null;
	return (
		<p className="warning" role="note">
			<strong>{t.lacks[feature]}</strong> {t.stays}
		</p>
	);
}
