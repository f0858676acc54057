/** Identity of visitors and their sessions, and judgement of their user agents: what hits and imported rows have in common. */

export { newSessionId, secondsBetween, visitorId, visitorOf } from "./ids.ts";
export { scoreAgent, scoreSuspicion } from "./suspicion.ts";
export { type Agent, describeAgent } from "./user-agent.ts";
