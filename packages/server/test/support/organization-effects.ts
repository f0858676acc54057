import { type Effect, inPerson, organizationAdmins, organizationOwners, siteViewers, superadmins } from "./effect.ts";

const members = "/organizations/org-owner/members";
const invitations = "/organizations/org-owner/invitations";

/** Of an organization and its members, of the whole server, and of whoever calls. */
export const organizationEffects: readonly Effect[] = [
	{
		what: "an organization is renamed",
		may: organizationOwners,
		request: (n) => ["PATCH", "/organizations/org-owner", { name: `Name ${n}` }],
		row: (n) => ["organizations", { slug: "org-owner", name: `Name ${n}` }],
	},
	{
		what: "a member becomes an admin",
		may: organizationAdmins,
		before: ({ member }) => member(),
		request: (_, id) => ["PATCH", `${members}/${id}`, { role: "admin" }],
		row: (_, id) => ["organization_members", { user_id: Number(id), role: "admin" }],
	},
	{
		what: "a member becomes an owner",
		may: organizationOwners,
		before: ({ member }) => member(),
		request: (_, id) => ["PATCH", `${members}/${id}`, { role: "owner" }],
		row: (_, id) => ["organization_members", { user_id: Number(id), role: "owner" }],
	},
	{
		what: "a member leaves by the hand of another",
		may: inPerson(organizationAdmins),
		before: ({ member }) => member(),
		request: (_, id) => ["DELETE", `${members}/${id}`],
		row: (_, id) => ["organization_members", { user_id: Number(id) }],
		isGone: true,
	},
	{
		what: "a member gets sites",
		may: organizationAdmins,
		before: ({ member }) => member(),
		request: (_, id) => ["POST", `${members}/${id}/sites`, { site_ids: ["second"] }],
		row: (_, id) => ["site_members", { user_id: Number(id), site_id: "second" }],
	},
	{
		what: "somebody is invited",
		may: organizationAdmins,
		request: (n) => ["POST", invitations, { email: `i${n}@new.example`, role: "member" }],
		row: (n) => ["invitations", { email: `i${n}@new.example` }],
	},
	{
		what: "somebody is invited as an owner",
		may: organizationOwners,
		request: (n) => ["POST", invitations, { email: `o${n}@new.example`, role: "owner" }],
		row: (n) => ["invitations", { email: `o${n}@new.example` }],
	},
	{
		what: "an invitation is taken back",
		may: inPerson(organizationAdmins),
		before: ({ n, prepare }) => prepare("POST", invitations, { email: `r${n}@new.example`, role: "member" }),
		request: (_, id) => ["DELETE", `${invitations}/${id}`],
		row: (n) => ["invitations", { email: `r${n}@new.example`, is_active: 1 }],
		isGone: true,
	},
	{
		what: "somebody becomes a superadmin",
		may: superadmins,
		before: ({ loner }) => loner(),
		request: (_, id) => ["PATCH", `/users/${id}`, { role: "superadmin" }],
		row: (_, id) => ["users", { id: Number(id), role: "superadmin" }],
	},
	{
		what: "a key is made for a site",
		may: inPerson(siteViewers),
		request: (n) => ["POST", "/api-tokens", { name: `key of shop ${n}`, account_ids: ["shop"] }],
		row: (n) => ["api_tokens", { name: `key of shop ${n}` }],
	},
];
