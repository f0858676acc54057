import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { texts } from "../../lib/language.ts";
import { Card } from "../../ui/card/card.tsx";
import { SideNav } from "../../ui/side-nav/side-nav.tsx";
import { actingQuery } from "../site/index.ts";
import { OuterFrame } from "./outer-frame.tsx";

const t = texts({
	en: {
		account: "Your account",
		profile: "Profile",
		security: "Security",
		keys: "API keys",
		apps: "Connected apps",
		closed: "Not available during impersonation",
		closedText: (name: string) =>
			`Only ${name} can manage this account. Stop impersonating in the bar above to see yours.`,
	},
	es: {
		account: "Tu cuenta",
		profile: "Perfil",
		security: "Seguridad",
		keys: "Claves API",
		apps: "Aplicaciones conectadas",
		closed: "No disponible durante la suplantación",
		closedText: (name: string) =>
			`Solo ${name} puede gestionar esta cuenta. Termina la suplantación en la barra de arriba para ver la tuya.`,
	},
});

const groups = [
	{
		links: [
			{ to: "/account", label: t.profile },
			{ to: "/account/security", label: t.security },
			{ to: "/account/tokens", label: t.keys },
			{ to: "/account/apps", label: t.apps },
		],
	},
] as const;

interface AccountFrameProps {
	readonly title: string;
	readonly actions?: ReactNode;
	readonly children: ReactNode;
}

/** Frame of the account screens. It is empty during impersonation. */
export function AccountFrame({ title, actions, children }: AccountFrameProps) {
	const { data, isPending } = useQuery(actingQuery);
	const isActing = data?.is_impersonating === true;
	return (
		<OuterFrame title={title} actions={!isActing && actions}>
			<SideNav label={t.account} groups={groups}>
				{/* What is refused to a superadmin who acts as somebody is not even asked. */}
				{isPending ? (
					<div data-loading="" />
				) : isActing ? (
					<Card title={t.closed}>
						<p>{t.closedText(data.impersonated_email ?? "")}</p>
					</Card>
				) : (
					children
				)}
			</SideNav>
		</OuterFrame>
	);
}
