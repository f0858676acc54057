import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "../../api/client.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { ConfirmDialog } from "../../ui/confirm/confirm-dialog.tsx";
import { Options } from "../../ui/field/options.tsx";
import { useChange } from "../../ui/form/use-change.ts";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { Scroller } from "../../ui/scroller/scroller.tsx";
import { meQuery } from "../site/index.ts";
import styles from "./matrix.module.css";
import {
	changeSiteRole,
	grantable,
	type Member,
	memberSitesQuery,
	membersQuery,
	type Organization,
	type OrgRole,
	type OrgSite,
	orgSitesQuery,
	type SiteRole,
	siteRoles,
	staleByRoles,
} from "./queries.ts";
import { t } from "./texts.ts";

interface MatrixProps {
	readonly organization: Organization;
	/** Role of the current user. */
	readonly role: OrgRole;
}

/** Members by sites, with roles that are changed in place. On phones each member is a list of sites. */
export function MatrixCard({ organization, role }: MatrixProps) {
	const query = useQuery(membersQuery(organization.slug));
	return (
		<Card title={t.people}>
			<p className="caption">{t.peopleText}</p>
			<Loaded query={query}>
				{({ members }) => <Matrix organization={organization} role={role} members={members} />}
			</Loaded>
		</Card>
	);
}

function Matrix({ organization, role, members }: MatrixProps & { readonly members: readonly Member[] }) {
	const { data } = useQuery(orgSitesQuery(organization.slug));
	const { data: me } = useSuspenseQuery(meQuery);
	// Members see the roles of others, and their own sites below.
	const sites = role === "member" ? [] : (data?.sites ?? []).filter((site) => site.is_active);
	return (
		<Scroller className={styles.scroller} label={t.people}>
			<table className={styles.matrix}>
				<thead className={styles.head}>
					<tr>
						<th scope="col" className={styles.column}>
							{t.person}
						</th>
						<th scope="col" className={styles.column}>
							{t.role}
						</th>
						{sites.map(({ id, name }) => (
							<th key={id} scope="col" className={styles.column}>
								{name}
							</th>
						))}
						<th scope="col" className={styles.column}>
							<span className="visually-hidden">{t.remove}</span>
						</th>
					</tr>
				</thead>
				<tbody className={styles.body}>
					{members.map((member) => (
						<tr key={member.user_id} className={styles.row}>
							<th scope="row" className={styles.person}>
								<span className={styles.name}>
									{member.name} {member.user_id === me.id && <span className="caption">({t.you})</span>}
								</span>
								<span className="caption">{member.email}</span>
							</th>
							<td data-label={t.role} className={styles.cell}>
								<RoleChoice slug={organization.slug} role={role} member={member} />
							</td>
							<SiteRoleCells slug={organization.slug} member={member} sites={sites} />
							<td className={styles.exit}>
								<MemberExit
									organization={organization}
									member={member}
									isSelf={member.user_id === me.id}
									mayRemove={mayTouch(role, member)}
								/>
							</td>
						</tr>
					))}
				</tbody>
			</table>
		</Scroller>
	);
}

/** Owners are out of an admin's hands. */
const mayTouch = (role: OrgRole, member: Member): boolean =>
	role === "owner" || (role === "admin" && member.role !== "owner");

interface RoleChoiceProps {
	readonly slug: string;
	readonly role: OrgRole;
	readonly member: Member;
}

function RoleChoice({ slug, role, member }: RoleChoiceProps) {
	const set = (to: OrgRole) =>
		call("PATCH /organizations/{slug}/members/{user_id}", {
			path: { slug, user_id: member.user_id },
			body: { role: to },
		});
	const change = useChange({
		run: ({ to }: { from: OrgRole; to: OrgRole }) => set(to),
		stale: staleByRoles,
		done: () => t.changed(member.name),
		undo: (_, { from }) => set(from),
	});
	if (!mayTouch(role, member)) return t.roles[member.role];
	return (
		<select
			aria-label={t.roleOf(member.name)}
			className={styles.choice}
			value={member.role}
			disabled={change.isBusy}
			onChange={({ target }) => {
				const to = grantable(role).find((one) => one === target.value);
				if (to !== undefined) change.run({ from: member.role, to });
			}}
		>
			<Options of={grantable(role)} text={(one) => t.roles[one]} />
		</select>
	);
}

interface MemberExitProps {
	readonly organization: Organization;
	readonly member: Member;
	readonly isSelf: boolean;
	readonly mayRemove: boolean;
}

/** The way out of an organization: one's own, or that of somebody else. */
function MemberExit({ organization: { slug, name }, member, isSelf, mayRemove }: MemberExitProps) {
	const [isAsking, setAsking] = useState(false);
	const navigate = useNavigate();
	const remove = useChange({
		run: () => call("DELETE /organizations/{slug}/members/{user_id}", { path: { slug, user_id: member.user_id } }),
		stale: isSelf ? ["GET /sites", "GET /organizations"] : staleByRoles,
		done: () => t.removed(member.name),
	});
	if (!isSelf && !mayRemove) return null;
	return (
		<>
			<Button small aria-label={isSelf ? t.leaveTitle(name) : t.removeOf(member.name)} onClick={() => setAsking(true)}>
				{isSelf ? t.leave : t.remove}
			</Button>
			{isAsking && (
				<ConfirmDialog
					title={isSelf ? t.leaveTitle(name) : t.removeTitle(member.name)}
					goes={[t.removeGoes]}
					stays={[t.removeStays]}
					action={isSelf ? t.leave : t.remove}
					onConfirm={async () => {
						await remove.mutateAsync(undefined);
						if (isSelf) await navigate({ to: "/organizations" });
					}}
					onClose={() => setAsking(false)}
				/>
			)}
		</>
	);
}

interface SiteRoleCellsProps {
	readonly slug: string;
	readonly member: Member;
	readonly sites: readonly OrgSite[];
}

/** The roles of one person on all sites. Those of owners and admins follow from the organization. */
function SiteRoleCells({ slug, member, sites }: SiteRoleCellsProps) {
	const isChosen = member.role === "member";
	const { data } = useQuery({
		...memberSitesQuery(slug, member.user_id),
		enabled: isChosen && sites.length > 0,
	});
	return sites.map((site) => {
		const role = data?.sites.find(({ id }) => id === site.id)?.role;
		return (
			<td key={site.id} data-label={site.name} className={styles.cell}>
				{!isChosen ? (
					<span className="caption">{t.roles[member.role]}</span>
				) : role === undefined ? (
					<span className={styles.pending} data-loading="" />
				) : (
					<SiteRoleChoice slug={slug} member={member} site={site} role={role} />
				)}
			</td>
		);
	});
}

interface SiteRoleChoiceProps extends Omit<SiteRoleCellsProps, "sites"> {
	readonly site: OrgSite;
	readonly role: SiteRole | null;
}

function SiteRoleChoice({ slug, member, site, role }: SiteRoleChoiceProps) {
	const about = { slug, userId: member.user_id, siteId: site.id };
	const change = useChange({
		run: ({ from, to }: { from: SiteRole | null; to: SiteRole | null }) => changeSiteRole({ ...about, from, to }),
		stale: staleByRoles,
		done: () => t.changedOn(member.name, site.name),
		undo: (_, { from, to }) => changeSiteRole({ ...about, from: to, to: from }),
	});
	return (
		<select
			aria-label={t.siteRoleOf(member.name, site.name)}
			className={styles.choice}
			value={role ?? ""}
			disabled={change.isBusy}
			onChange={({ target }) => change.run({ from: role, to: siteRoles.find((one) => one === target.value) ?? null })}
		>
			<option value="">{t.noRoleName}</option>
			<Options of={siteRoles} text={(one) => t.siteRoles[one]} />
		</select>
	);
}
