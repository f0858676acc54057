import { useQuery } from "@tanstack/react-query";
import { Options } from "../../ui/field/options.tsx";
import { useChange } from "../../ui/form/use-change.ts";
import styles from "./matrix.module.css";
import { type Member, memberSitesQuery, type OrgSite, staleByRoles } from "./queries.ts";
import { changeSiteRole, type SiteRole, siteRoles } from "./roles.ts";
import { t } from "./texts.ts";

interface SiteRoleCellsProps {
	readonly slug: string;
	readonly member: Member;
	readonly sites: readonly OrgSite[];
}

/** The roles of one person on all sites. Those of owners and admins follow from the organization. */
export function SiteRoleCells({ slug, member, sites }: SiteRoleCellsProps) {
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
					<span className={styles.hint}>{t.roles[member.role]}</span>
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
