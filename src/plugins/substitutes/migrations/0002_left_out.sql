-- Where the plug-in is off, nothing ends its rows: they may not keep their people from being deleted. A substitute who was
-- deleted decides nothing. The keys before said more, so the rows need no look.
alter table substitutes drop constraint substitutes_user_lives, drop constraint substitutes_substitute_lives;
alter table substitutes add constraint substitutes_user foreign key (tenant_id, user_id)
  references users (tenant_id, id) not valid;
alter table substitutes add constraint substitutes_substitute foreign key (tenant_id, substitute_id)
  references users (tenant_id, id) not valid;
