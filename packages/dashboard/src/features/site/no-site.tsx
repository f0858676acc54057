import { Link } from "@tanstack/react-router";
import { texts } from "../../lib/language.ts";
import { Notice } from "../../ui/page/notice.tsx";

const t = texts({
	en: {
		title: "No such site",
		text: (id: string) => `The site “${id}” does not exist, or is not yours to see.`,
		all: "All sites",
	},
	es: {
		title: "No existe ese sitio",
		text: (id: string) => `El sitio «${id}» no existe o no tienes acceso.`,
		all: "Todos los sitios",
	},
});

/** Shown where an address names a site that the reader may not see. */
export function NoSite({ id }: { readonly id: string }) {
	return (
		<Notice title={t.title} text={t.text(id)}>
			<Link to="/sites">{t.all}</Link>
		</Notice>
	);
}
