import { useQuery } from "@tanstack/react-query";
import type { Answer } from "../../api/client.ts";
import { texts } from "../../lib/language.ts";
import { siteQuery, useSite } from "../site/index.ts";
import styles from "./plan-lock.module.css";

/** What some plans have and others lack. */
export type PlanFeature = Answer<"GET /sites/{id}">["plan_features"][number];

const t = texts({
	en: {
		lacks: {
			webhooks: "The plan of this site has no webhooks.",
			audit: "The plan of this site has no activity log.",
			ip_allowlist: "The plan of this site has no IP allowlist.",
		},
		stays:
			"What is here stays readable, and can be removed. Whoever runs this service can give its organization another plan.",
	},
	es: {
		lacks: {
			webhooks: "El plan de este sitio no incluye webhooks.",
			audit: "El plan de este sitio no incluye el registro de actividad.",
			ip_allowlist: "El plan de este sitio no incluye la lista de direcciones permitidas.",
		},
		stays:
			"Lo que hay aquí se puede leer y quitar. Quien gestiona este servicio puede dar otro plan a la organización.",
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
		<p className={styles.lock} role="note">
			<strong>{t.lacks[feature]}</strong> {t.stays}
		</p>
	);
}
