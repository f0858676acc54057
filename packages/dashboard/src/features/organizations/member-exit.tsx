import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "../../api/client.ts";
import { Button } from "../../ui/button/button.tsx";
import { ConfirmDialog } from "../../ui/confirm/confirm-dialog.tsx";
import { useChange } from "../../ui/form/use-change.ts";
import { type Member, type Organization, staleByRoles } from "./queries.ts";
import { t } from "./texts.ts";

interface MemberExitProps {
	readonly organization: Organization;
	readonly member: Member;
	readonly isSelf: boolean;
	readonly mayRemove: boolean;
}

/** The way out of an organization: one's own, or that of somebody else. */
export function MemberExit({ organization: { slug, name }, member, isSelf, mayRemove }: MemberExitProps) {
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
