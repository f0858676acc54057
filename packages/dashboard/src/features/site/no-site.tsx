import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { addressShutOut, asFailure } from "../../lib/failure.ts";
import { texts } from "../../lib/language.ts";
import { Button } from "../../ui/button/button.tsx";
import { Notice } from "../../ui/page/notice.tsx";
import { Secret } from "../../ui/secret/secret.tsx";
import { siteQuery, sitesQuery } from "./queries.ts";

const t = texts({
	en: {
		title: "No such site",
		text: (id: string) => `The site “${id}” does not exist, or is not yours to see.`,
		all: "All sites",
		shut: "This site is closed from here",
		shutText: (id: string) =>
			`You may see the site “${id}”, but only from certain addresses, and yours is not among them. An admin of the site can add it, in its settings under “IP allowlist”: send them your address.`,
		address: "Your address",
		again: "Try again",
	},
	es: {
		title: "No existe ese sitio",
		text: (id: string) => `El sitio «${id}» no existe o no tienes acceso.`,
		all: "Todos los sitios",
		shut: "Este sitio no se abre desde aquí",
		shutText: (id: string) =>
			`Puedes ver el sitio «${id}», pero solo desde ciertas direcciones, y la tuya no está entre ellas. Un administrador del sitio puede añadirla en sus ajustes, en «Direcciones permitidas»: envíale tu dirección.`,
		address: "Tu dirección",
		again: "Reintentar",
	},
});

/** Shown where an address names a site that is not among those that the reader may see; says why, where that is known. */
export function NoSite({ id }: { readonly id: string }) {
	// What was known of it may be from before it was shut.
	const asked = useQuery({ ...siteQuery(id), retry: false, staleTime: 0, refetchOnMount: "always" });
	const sites = useQuery(sitesQuery);
	if (asked.error === null && asked.isFetching) return null;
	const address = asked.error === null ? undefined : addressShutOut(asFailure(asked.error));
	if (address === undefined) {
		return (
			<Notice title={t.title} text={t.text(id)}>
				<Link to="/sites">{t.all}</Link>
			</Notice>
		);
	}
	const again = () => Promise.all([asked.refetch(), sites.refetch()]);
	return (
		<Notice title={t.shut} text={t.shutText(id)}>
			<Secret label={t.address} value={address} isShownOnce={false} />
			<Button look="primary" onClick={() => void again()}>
				{t.again}
			</Button>
			<Link to="/sites">{t.all}</Link>
		</Notice>
	);
}
