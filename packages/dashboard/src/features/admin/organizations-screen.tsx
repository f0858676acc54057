import { useQuery } from "@tanstack/react-query";
import { type Answer, call } from "../../api/client.ts";
import { read } from "../../api/read.ts";
import { time } from "../../lib/format.ts";
import { plural, texts } from "../../lib/language.ts";
import { viewValue, withView } from "../../lib/view.ts";
import { Card } from "../../ui/card/card.tsx";
import { Check } from "../../ui/field/field.tsx";
import { Options } from "../../ui/field/options.tsx";
import { useChange } from "../../ui/form/use-change.ts";
import { Item, Items } from "../../ui/items/items.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { useChangeSearch, useSiteSearch } from "../site/index.ts";
import styles from "./admin.module.css";
import { AdminFrame } from "./admin-frame.tsx";

const t = texts({
	en: {
		list: "Organizations",
		search: "Name or slug",
		deleted: "Show deleted",
		none: "No organizations yet. The first site creates one.",
		notFound: "No results.",
		gone: "Deleted",
		members: (n: number) => plural(n, "1 member", `${n} members`),
		sites: (n: number) => plural(n, "1 site", `${n} sites`),
		since: (when: string) => `since ${when}`,
		plan: (name: string) => `Plan of ${name}`,
		plans: { free: "Free", growth: "Growth", scale: "Scale", enterprise: "Enterprise" },
		changed: (name: string, plan: string) => `${name} is now on the ${plan} plan.`,
	},
	es: {
		list: "Organizaciones",
		search: "Nombre o identificador",
		deleted: "Mostrar las eliminadas",
		none: "Aún no hay organizaciones. El primer sitio crea una.",
		notFound: "Sin resultados.",
		gone: "Eliminada",
		members: (n: number) => plural(n, "1 miembro", `${n} miembros`),
		sites: (n: number) => plural(n, "1 sitio", `${n} sitios`),
		since: (when: string) => `desde ${when}`,
		plan: (name: string) => `Plan de ${name}`,
		plans: { free: "Free", growth: "Growth", scale: "Scale", enterprise: "Enterprise" },
		changed: (name: string, plan: string) => `${name} tiene ahora el plan ${plan}.`,
	},
});

type Organization = Answer<"GET /organizations">["organizations"][number];
type Plan = Organization["plan_tier"];

const plans: readonly Plan[] = ["free", "growth", "scale", "enterprise"];

/** All organizations, with the plan of each. */
export const OrganizationsScreen = () => (
	<AdminFrame screen="organizations">
		<Card label={t.list}>
			<Tools />
			<Organizations />
		</Card>
	</AdminFrame>
);

function Organizations() {
	const { q = "", view } = useSiteSearch();
	const organizations = useQuery(read("GET /organizations"));
	const wanted = q.trim().toLocaleLowerCase();
	const showsDeleted = viewValue(view, "deleted") !== undefined;
	const isShown = ({ name, slug, is_active: isActive }: Organization) =>
		(isActive || showsDeleted) && [name, slug].some((text) => text.toLocaleLowerCase().includes(wanted));
	return (
		<Loaded
			query={organizations}
			isEmpty={({ organizations: all }) => !all.some(isShown)}
			empty={<p>{wanted === "" ? t.none : t.notFound}</p>}
		>
			{({ organizations: all }) => (
				<Items label={t.list}>
					{all.filter(isShown).map((one) => (
						<OrganizationItem key={one.id} organization={one} />
					))}
				</Items>
			)}
		</Loaded>
	);
}

function OrganizationItem({ organization }: { readonly organization: Organization }) {
	const { name, slug, is_active: isActive, member_count: members, site_count: sites } = organization;
	return (
		<Item
			title={name}
			state={isActive ? undefined : { text: t.gone, tone: "bad" }}
			facts={[slug, t.members(members), t.sites(sites), t.since(time(organization.created_at))].join(" · ")}
			actions={isActive && <PlanChoice organization={organization} />}
		/>
	);
}

function Tools() {
	const { q, view } = useSiteSearch();
	const change = useChangeSearch();
	return (
		<div className={styles.tools}>
			<input
				type="search"
				aria-label={t.search}
				placeholder={t.search}
				value={q ?? ""}
				onChange={(event) => change({ q: event.target.value }, { replace: true })}
			/>
			<Check
				label={t.deleted}
				checked={viewValue(view, "deleted") !== undefined}
				onChange={(event) =>
					change({ view: withView(view, "deleted", event.target.checked ? ["yes"] : []) }, { replace: true })
				}
			/>
		</div>
	);
}

/** The plan, changed at once where it stands. */
function PlanChoice({ organization: { slug, name, plan_tier: plan } }: { readonly organization: Organization }) {
	const put = (next: Plan) =>
		call("PATCH /admin/organizations/{slug}/plan", { path: { slug }, body: { plan_tier: next } });
	const change = useChange({
		run: put,
		stale: ["GET /organizations", "GET /audit/logs"],
		done: (_, next) => t.changed(name, t.plans[next]),
		undo: () => put(plan),
	});
	return (
		<select
			className={styles.plan}
			aria-label={t.plan(name)}
			value={plan}
			disabled={change.isBusy}
			onChange={(event) => {
				const next = plans.find((one) => one === event.target.value);
				if (next !== undefined) change.run(next);
			}}
		>
			<Options of={plans} text={(one) => t.plans[one]} />
		</select>
	);
}
