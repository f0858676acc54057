import type { Role } from "../../api/may.ts";
import { texts } from "../../lib/language.ts";
import { Card } from "../../ui/card/card.tsx";

const t = texts({
	en: {
		roles: { viewer: "viewer", editor: "editor", admin: "admin", owner: "owner" },
		text: (role: string) => `This needs the role ${role} on this site. An admin of the site can give it to you.`,
	},
	es: {
		roles: { viewer: "lector", editor: "editor", admin: "administrador", owner: "propietario" },
		text: (role: string) => `Hace falta el rol ${role} en este sitio. Te lo puede dar un administrador del sitio.`,
	},
});

/** Stands in place of what the reader's role may not see. */
export const NeedsRole = ({ least }: { readonly least: Role }) => (
	<Card>
		<p>{t.text(t.roles[least])}</p>
	</Card>
);
