import { describeCampaign } from "./describe";
import { hostileSettings } from "./settings";

describeCampaign("next", hostileSettings({ cases: 2_000 }));
