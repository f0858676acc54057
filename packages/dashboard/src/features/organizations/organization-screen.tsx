import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { isPaidHere } from "../../api/boot.ts";
import { call } from "../../api/client.ts";
import { may } from "../../api/may.ts";
import { asFailure } from "../../lib/failure.ts";
import { count } from "../../lib/format.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { ConfirmDialog } from "../../ui/confirm/confirm-dialog.tsx";
import { Field } from "../../ui/field/field.tsx";
import { Form, Submit } from "../../ui/form/form.tsx";
import { saved, useChange } from "../../ui/form/use-change.ts";
import { Item } from "../../ui/items/items.tsx";
import { LoadedItems } from "../../ui/items/loaded-items.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { OuterFrame } from "../account/index.ts";
import { ActivityLog } from "../activity/index.ts";
import { actingQuery, meQuery } from "../site/index.ts";
import { InvitationsCard } from "./invitations-card.tsx";
import { MatrixCard } from "./matrix-card.tsx";
import styles from "./organizations.module.css";
import { type Organization, type OrgRole, organizationQuery, orgSitesQuery, roleOf } from "./queries.ts";
import { t } from "./texts.ts";

/** One organization: members, sites, plan and activity. */
export function OrganizationScreen() {
	const { slug } = useParams({ strict: false }) as { slug: string };
	const query = useQuery({
		...organizationQuery(slug),
		// There is none, or it is not the reader's: asking again changes nothing.
		retry: (count, error) => asFailure(error).status !== 404 && count < 2,
	});
	const { data: me } = useSuspenseQuery(meQuery);
	return (
		<OuterFrame title={query.data?.name ?? t.title} actions={<Link to="/organizations">{t.title}</Link>}>
			<Loaded query={query}>
				{(organization) => <Parts organization={organization} role={roleOf(organization, me.role)} />}
			</Loaded>
		</OuterFrame>
	);
}

function Parts({ organization, role }: { readonly organization: Organization; readonly role: OrgRole }) {
	const { slug } = organization;
	return (
		<div className="column-16">
			<MatrixCard organization={organization} role={role} />
			{may("POST /organizations/{slug}/invitations", role) && <InvitationsCard slug={slug} role={role} />}
			<div className={styles.two}>
				<SitesCard slug={slug} role={role} />
				<PlanCard organization={organization} role={role} />
			</div>
			{may("PATCH /organizations/{slug}", role) && (
				<Card title={t.rename}>
					<NameCard organization={organization} />
				</Card>
			)}
			{role !== "member" && <ActivityCard organization={organization} />}
			{may("DELETE /organizations/{slug}", role) && <DeleteCard organization={organization} />}
		</div>
	);
}

interface ActivityCardProps {
	readonly organization: Organization;
}

/** Changes in the organization and on its sites. */
function ActivityCard({ organization: { slug, plan_tier: plan, plan_features: has } }: ActivityCardProps) {
	const hasLog = has.includes("audit");
	return (
		<Card title={t.activity}>
			<p className="intro">{hasLog ? t.activityText : t.noLog(plan)}</p>
			{hasLog && <ActivityLog organization={slug} />}
		</Card>
	);
}

/** Deletes an organization after its name was typed. */
function DeleteCard({ organization: { slug, name, site_count: sites } }: { readonly organization: Organization }) {
	const [isAsking, setAsking] = useState(false);
	const navigate = useNavigate();
	const end = useChange({
		run: () => call("DELETE /organizations/{slug}", { path: { slug }, body: { name } }),
		stale: ["GET /organizations", "GET /sites"],
		done: () => t.deleted(name),
	});
	return (
		<Card title={t.delete}>
			<div className={styles.part}>
				<p className="intro">{t.deleteText}</p>
				<Button look="danger" onClick={() => setAsking(true)}>
					{t.deleteNow}
				</Button>
			</div>
			{isAsking && (
				<ConfirmDialog
					title={t.delete}
					goes={[t.deleteGoes(sites), t.deleteKeys]}
					stays={[t.deleteStays]}
					name={name}
					action={t.delete}
					onConfirm={async () => {
						await end.mutateAsync(undefined);
						await navigate({ to: "/organizations" });
					}}
					onClose={() => setAsking(false)}
				/>
			)}
		</Card>
	);
}

/** Name of an organization; its addresses do not change. */
function NameCard({ organization: { slug, name } }: { readonly organization: Organization }) {
	const rename = useChange({
		run: ({ now }: { now: string; before: string }) =>
			call("PATCH /organizations/{slug}", { path: { slug }, body: { name: now } }),
		stale: ["GET /organizations", "GET /organizations/{slug}", "GET /audit/logs"],
		done: saved,
		undo: (_, { before }) => call("PATCH /organizations/{slug}", { path: { slug }, body: { name: before } }),
	});
	const form = useForm((values) => rename.mutateAsync({ now: textOf(values, "name"), before: name }), {
		draft: "name",
	});
	return (
		<Form form={form} className={styles.form}>
			<Field key={name} label={t.name} hint={t.slug(slug)} name="name" defaultValue={name} maxLength={255} required />
			<div className="row-centered">
				<Submit />
			</div>
		</Form>
	);
}

/** Limits of the plan and their usage. */
function PlanCard({ organization, role }: { readonly organization: Organization; readonly role: OrgRole }) {
	const { data: acting } = useQuery(actingQuery);
	// Billing is closed while impersonating.
	const mayBill = role === "owner" && acting?.is_impersonating === false;
	const { plan_tier: tier, plan_limits: limits, plan_features: features } = organization;
	const used = { seats: organization.member_count, sites: organization.site_count };
	const told = (name: keyof typeof limits): string => {
		const limit = limits[name];
		const most = limit === null ? t.unlimited : count(limit);
		if (name !== "seats" && name !== "sites") return most;
		return limit === null ? `${count(used[name])}, ${most}` : t.ofLimit(count(used[name]), most);
	};
	// Without payments this plan has no limits, and no name that says anything to its users.
	if (!isPaidHere && tier === "enterprise") return null;
	const names = features.map((feature) => t.features[feature as keyof typeof t.features] ?? feature);
	return (
		<Card
			title={`${t.plan}: ${tier}`}
			actions={
				mayBill && (
					<Link to="/organizations/$slug/billing" params={{ slug: organization.slug }}>
						{isPaidHere ? t.billing : t.usage}
					</Link>
				)
			}
		>
			<dl className={styles.limits}>
				{(Object.keys(t.limits) as (keyof typeof limits)[]).map((name) => (
					<Limit key={name} label={t.limits[name]} value={told(name)} />
				))}
				{names.length > 0 && <Limit label={t.has} value={names.join(", ")} />}
			</dl>
		</Card>
	);
}

const Limit = ({ label, value }: { readonly label: string; readonly value: string }) => (
	<>
		<dt>{label}</dt>
		<dd>{value}</dd>
	</>
);

/** The sites of an organization, as far as the reader sees them. */
function SitesCard({ slug, role }: { readonly slug: string; readonly role: OrgRole }) {
	const query = useQuery(orgSitesQuery(slug));
	return (
		<Card title={t.sites} actions={role !== "member" && <Link to="/sites/new">{t.newSite}</Link>}>
			<LoadedItems label={t.sites} query={query} of={({ sites }) => sites} empty={<p>{t.noSites}</p>}>
				{(site) => (
					<Item
						key={site.id}
						title={
							site.is_active ? (
								<Link to="/sites/$id" params={{ id: site.id }}>
									{site.name}
								</Link>
							) : (
								site.name
							)
						}
						facts={`${site.id} · ${site.timezone} · ${site.currency}`}
						state={site.is_active ? undefined : { text: t.inactive, tone: "warn" }}
					/>
				)}
			</LoadedItems>
		</Card>
	);
}
