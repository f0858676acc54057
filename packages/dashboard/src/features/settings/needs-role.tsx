import type { Role } from "../../api/may.ts";
import { texts } from "../../lib/language.ts";
import { Card } from "../../ui/card/card.tsx";

const t = texts({
	en: {
		roles: { viewer: "viewer", editor: "editor", admin: "admin", owner: "owner" },
		text: (role: string) => `You need the role ${role} on this site. Ask an admin of the site.`,
	},
	es: {
		roles: { viewer: "lector", editor: "editor", admin: "administrador", owner: "propietario" },
		text: (role: string) => `Necesitas el rol ${role} en este sitio. Pídelo a un administrador del sitio.`,
	},
});

/** Stands in place of what the reader's role may not see. */
export const NeedsRole = ({ least }: { readonly least: Role }) => (
	<Card>
		<p>{t.text(t.roles[least])}</p>
	</Card>
);
