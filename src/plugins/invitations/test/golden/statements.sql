-- invitations.getInvitation(id)
select "invitations"."id", "invitations"."email", "invitations"."invited_by_id", "invitations"."expires_at", case when case when invitations.status = 'pending' and invitations.expires_at <= clock_timestamp()
  then 'expired' else invitations.status end = 'pending' and not (coalesce(((select true as "is"
  from "users"
  where "users"."tenant_id" = $1 and "users"."status" = $2 and "users"."id" = invitations.invited_by_id and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $3 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $4 and "permissions"."code" = $5))))
  limit 1)), false)
    and (((select "departments"."id"
  from "departments"
  where "departments"."tenant_id" = $6 and "departments"."id" = "invitations"."department_id")) is null or invitations.invited_by_id in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $7 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $8 and "permissions"."code" = $9)))))
    and coalesce(((select true as "is"
  from "roles"
  inner join "invitation_roles" on "invitation_roles"."tenant_id" = "roles"."tenant_id" and "invitation_roles"."role_id" = "roles"."id"
  where "roles"."tenant_id" = $10 and "invitation_roles"."invitation_id" = "invitations"."id"
  limit 1)), false) and not coalesce(((select true as "is"
  from "roles"
  inner join "invitation_roles" on "invitation_roles"."tenant_id" = "roles"."tenant_id" and "invitation_roles"."role_id" = "roles"."id"
  where "roles"."tenant_id" = $11 and "invitation_roles"."invitation_id" = "invitations"."id" and (coalesce(((select true as "is"
  from "role_permissions"
  where "role_permissions"."tenant_id" = $12 and "role_permissions"."role_id" = "roles"."id" and "role_permissions"."permission_id" not in (select "role_permissions"."permission_id"
  from "user_roles"
  inner join "role_permissions" on "role_permissions"."tenant_id" = "user_roles"."tenant_id" and "role_permissions"."role_id" = "user_roles"."role_id"
  where "user_roles"."tenant_id" = $13 and "user_roles"."user_id" = invitations.invited_by_id)
  limit 1)), false) or roles.code in ('admin', 'tenant-admin')
      and invitations.invited_by_id not in ((select "user_roles"."user_id"
  from "user_roles"
  inner join "roles" on "roles"."tenant_id" = "user_roles"."tenant_id" and "roles"."id" = "user_roles"."role_id"
  where "user_roles"."tenant_id" = $14 and "roles"."code" in ($15, $16))))
  limit 1)), false))
    then 'withdrawn' else case when invitations.status = 'pending' and invitations.expires_at <= clock_timestamp()
  then 'expired' else invitations.status end end as "status", case when "inviter"."deleted_at" is null
    then coalesce(nullif("inviter"."nickname", ''), "inviter"."username") else '' end as "invited_by_name", ((select "departments"."id"
  from "departments"
  where "departments"."tenant_id" = $17 and "departments"."id" = "invitations"."department_id")) as "department_id", "invitations"."mail_id", "invitations"."created_at", array((select "roles"."code"
  from "roles"
  inner join "invitation_roles" on "invitation_roles"."tenant_id" = "roles"."tenant_id" and "invitation_roles"."role_id" = "roles"."id"
  where "roles"."tenant_id" = $18 and "invitation_roles"."invitation_id" = "invitations"."id"
  order by "roles"."id")) as "roles"
  from "invitations"
  inner join "users" as "inviter" on "inviter"."tenant_id" = "invitations"."tenant_id" and "inviter"."id" = "invitations"."invited_by_id"
  where "invitations"."tenant_id" = $19 and "invitations"."id" = $20;

-- invitations.listInvitations()
select "invitations"."id", "invitations"."email", "invitations"."invited_by_id", "invitations"."expires_at", case when case when invitations.status = 'pending' and invitations.expires_at <= clock_timestamp()
  then 'expired' else invitations.status end = 'pending' and not (coalesce(((select true as "is"
  from "users"
  where "users"."tenant_id" = $1 and "users"."status" = $2 and "users"."id" = invitations.invited_by_id and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $3 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $4 and "permissions"."code" = $5))))
  limit 1)), false)
    and (((select "departments"."id"
  from "departments"
  where "departments"."tenant_id" = $6 and "departments"."id" = "invitations"."department_id")) is null or invitations.invited_by_id in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $7 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $8 and "permissions"."code" = $9)))))
    and coalesce(((select true as "is"
  from "roles"
  inner join "invitation_roles" on "invitation_roles"."tenant_id" = "roles"."tenant_id" and "invitation_roles"."role_id" = "roles"."id"
  where "roles"."tenant_id" = $10 and "invitation_roles"."invitation_id" = "invitations"."id"
  limit 1)), false) and not coalesce(((select true as "is"
  from "roles"
  inner join "invitation_roles" on "invitation_roles"."tenant_id" = "roles"."tenant_id" and "invitation_roles"."role_id" = "roles"."id"
  where "roles"."tenant_id" = $11 and "invitation_roles"."invitation_id" = "invitations"."id" and (coalesce(((select true as "is"
  from "role_permissions"
  where "role_permissions"."tenant_id" = $12 and "role_permissions"."role_id" = "roles"."id" and "role_permissions"."permission_id" not in (select "role_permissions"."permission_id"
  from "user_roles"
  inner join "role_permissions" on "role_permissions"."tenant_id" = "user_roles"."tenant_id" and "role_permissions"."role_id" = "user_roles"."role_id"
  where "user_roles"."tenant_id" = $13 and "user_roles"."user_id" = invitations.invited_by_id)
  limit 1)), false) or roles.code in ('admin', 'tenant-admin')
      and invitations.invited_by_id not in ((select "user_roles"."user_id"
  from "user_roles"
  inner join "roles" on "roles"."tenant_id" = "user_roles"."tenant_id" and "roles"."id" = "user_roles"."role_id"
  where "user_roles"."tenant_id" = $14 and "roles"."code" in ($15, $16))))
  limit 1)), false))
    then 'withdrawn' else case when invitations.status = 'pending' and invitations.expires_at <= clock_timestamp()
  then 'expired' else invitations.status end end as "status", case when "inviter"."deleted_at" is null
    then coalesce(nullif("inviter"."nickname", ''), "inviter"."username") else '' end as "invited_by_name", ((select "departments"."id"
  from "departments"
  where "departments"."tenant_id" = $17 and "departments"."id" = "invitations"."department_id")) as "department_id", "invitations"."mail_id", "invitations"."created_at", array((select "roles"."code"
  from "roles"
  inner join "invitation_roles" on "invitation_roles"."tenant_id" = "roles"."tenant_id" and "invitation_roles"."role_id" = "roles"."id"
  where "roles"."tenant_id" = $18 and "invitation_roles"."invitation_id" = "invitations"."id"
  order by "roles"."id")) as "roles"
  from "invitations"
  inner join "users" as "inviter" on "inviter"."tenant_id" = "invitations"."tenant_id" and "inviter"."id" = "invitations"."invited_by_id"
  where "invitations"."tenant_id" = $19 and "invitations"."id" < $20
  order by "invitations"."id" desc
  limit $21;

-- invitations.listInvitations()
select "invitations"."id", "invitations"."email", "invitations"."invited_by_id", "invitations"."expires_at", case when case when invitations.status = 'pending' and invitations.expires_at <= clock_timestamp()
  then 'expired' else invitations.status end = 'pending' and not (coalesce(((select true as "is"
  from "users"
  where "users"."tenant_id" = $1 and "users"."status" = $2 and "users"."id" = invitations.invited_by_id and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $3 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $4 and "permissions"."code" = $5))))
  limit 1)), false)
    and (((select "departments"."id"
  from "departments"
  where "departments"."tenant_id" = $6 and "departments"."id" = "invitations"."department_id")) is null or invitations.invited_by_id in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $7 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $8 and "permissions"."code" = $9)))))
    and coalesce(((select true as "is"
  from "roles"
  inner join "invitation_roles" on "invitation_roles"."tenant_id" = "roles"."tenant_id" and "invitation_roles"."role_id" = "roles"."id"
  where "roles"."tenant_id" = $10 and "invitation_roles"."invitation_id" = "invitations"."id"
  limit 1)), false) and not coalesce(((select true as "is"
  from "roles"
  inner join "invitation_roles" on "invitation_roles"."tenant_id" = "roles"."tenant_id" and "invitation_roles"."role_id" = "roles"."id"
  where "roles"."tenant_id" = $11 and "invitation_roles"."invitation_id" = "invitations"."id" and (coalesce(((select true as "is"
  from "role_permissions"
  where "role_permissions"."tenant_id" = $12 and "role_permissions"."role_id" = "roles"."id" and "role_permissions"."permission_id" not in (select "role_permissions"."permission_id"
  from "user_roles"
  inner join "role_permissions" on "role_permissions"."tenant_id" = "user_roles"."tenant_id" and "role_permissions"."role_id" = "user_roles"."role_id"
  where "user_roles"."tenant_id" = $13 and "user_roles"."user_id" = invitations.invited_by_id)
  limit 1)), false) or roles.code in ('admin', 'tenant-admin')
      and invitations.invited_by_id not in ((select "user_roles"."user_id"
  from "user_roles"
  inner join "roles" on "roles"."tenant_id" = "user_roles"."tenant_id" and "roles"."id" = "user_roles"."role_id"
  where "user_roles"."tenant_id" = $14 and "roles"."code" in ($15, $16))))
  limit 1)), false))
    then 'withdrawn' else case when invitations.status = 'pending' and invitations.expires_at <= clock_timestamp()
  then 'expired' else invitations.status end end as "status", case when "inviter"."deleted_at" is null
    then coalesce(nullif("inviter"."nickname", ''), "inviter"."username") else '' end as "invited_by_name", ((select "departments"."id"
  from "departments"
  where "departments"."tenant_id" = $17 and "departments"."id" = "invitations"."department_id")) as "department_id", "invitations"."mail_id", "invitations"."created_at", array((select "roles"."code"
  from "roles"
  inner join "invitation_roles" on "invitation_roles"."tenant_id" = "roles"."tenant_id" and "invitation_roles"."role_id" = "roles"."id"
  where "roles"."tenant_id" = $18 and "invitation_roles"."invitation_id" = "invitations"."id"
  order by "roles"."id")) as "roles"
  from "invitations"
  inner join "users" as "inviter" on "inviter"."tenant_id" = "invitations"."tenant_id" and "inviter"."id" = "invitations"."invited_by_id"
  where "invitations"."tenant_id" = $19
  order by "invitations"."id" desc
  limit $20 offset $21;

-- invitations.listInvitations()
select "row".*
  from (select "invitations"."id" as "id", row_number() over () as "place"
  from (select "invitations"."id"
  from "invitations"
  inner join "users" as "inviter" on "inviter"."tenant_id" = "invitations"."tenant_id" and "inviter"."id" = "invitations"."invited_by_id"
  where "invitations"."tenant_id" = $1
  order by "invitations"."id" desc
  limit $2 offset $3) as "invitations") as "places"
  inner join lateral (select "invitations"."id", "invitations"."email", "invitations"."invited_by_id", "invitations"."expires_at", case when case when invitations.status = 'pending' and invitations.expires_at <= clock_timestamp()
  then 'expired' else invitations.status end = 'pending' and not (coalesce(((select true as "is"
  from "users"
  where "users"."tenant_id" = $4 and "users"."status" = $5 and "users"."id" = invitations.invited_by_id and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $6 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $7 and "permissions"."code" = $8))))
  limit 1)), false)
    and (((select "departments"."id"
  from "departments"
  where "departments"."tenant_id" = $9 and "departments"."id" = "invitations"."department_id")) is null or invitations.invited_by_id in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $10 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $11 and "permissions"."code" = $12)))))
    and coalesce(((select true as "is"
  from "roles"
  inner join "invitation_roles" on "invitation_roles"."tenant_id" = "roles"."tenant_id" and "invitation_roles"."role_id" = "roles"."id"
  where "roles"."tenant_id" = $13 and "invitation_roles"."invitation_id" = "invitations"."id"
  limit 1)), false) and not coalesce(((select true as "is"
  from "roles"
  inner join "invitation_roles" on "invitation_roles"."tenant_id" = "roles"."tenant_id" and "invitation_roles"."role_id" = "roles"."id"
  where "roles"."tenant_id" = $14 and "invitation_roles"."invitation_id" = "invitations"."id" and (coalesce(((select true as "is"
  from "role_permissions"
  where "role_permissions"."tenant_id" = $15 and "role_permissions"."role_id" = "roles"."id" and "role_permissions"."permission_id" not in (select "role_permissions"."permission_id"
  from "user_roles"
  inner join "role_permissions" on "role_permissions"."tenant_id" = "user_roles"."tenant_id" and "role_permissions"."role_id" = "user_roles"."role_id"
  where "user_roles"."tenant_id" = $16 and "user_roles"."user_id" = invitations.invited_by_id)
  limit 1)), false) or roles.code in ('admin', 'tenant-admin')
      and invitations.invited_by_id not in ((select "user_roles"."user_id"
  from "user_roles"
  inner join "roles" on "roles"."tenant_id" = "user_roles"."tenant_id" and "roles"."id" = "user_roles"."role_id"
  where "user_roles"."tenant_id" = $17 and "roles"."code" in ($18, $19))))
  limit 1)), false))
    then 'withdrawn' else case when invitations.status = 'pending' and invitations.expires_at <= clock_timestamp()
  then 'expired' else invitations.status end end as "status", case when "inviter"."deleted_at" is null
    then coalesce(nullif("inviter"."nickname", ''), "inviter"."username") else '' end as "invited_by_name", ((select "departments"."id"
  from "departments"
  where "departments"."tenant_id" = $20 and "departments"."id" = "invitations"."department_id")) as "department_id", "invitations"."mail_id", "invitations"."created_at", array((select "roles"."code"
  from "roles"
  inner join "invitation_roles" on "invitation_roles"."tenant_id" = "roles"."tenant_id" and "invitation_roles"."role_id" = "roles"."id"
  where "roles"."tenant_id" = $21 and "invitation_roles"."invitation_id" = "invitations"."id"
  order by "roles"."id")) as "roles"
  from "invitations"
  inner join "users" as "inviter" on "inviter"."tenant_id" = "invitations"."tenant_id" and "inviter"."id" = "invitations"."invited_by_id"
  where "invitations"."tenant_id" = $22 and "invitations"."id" = "places"."id"
  limit 1) as "row" on true
  order by "places"."place";

-- invitations.listInvitations(status)
select "invitations"."id", "invitations"."email", "invitations"."invited_by_id", "invitations"."expires_at", case when case when invitations.status = 'pending' and invitations.expires_at <= clock_timestamp()
  then 'expired' else invitations.status end = 'pending' and not (coalesce(((select true as "is"
  from "users"
  where "users"."tenant_id" = $1 and "users"."status" = $2 and "users"."id" = invitations.invited_by_id and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $3 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $4 and "permissions"."code" = $5))))
  limit 1)), false)
    and (((select "departments"."id"
  from "departments"
  where "departments"."tenant_id" = $6 and "departments"."id" = "invitations"."department_id")) is null or invitations.invited_by_id in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $7 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $8 and "permissions"."code" = $9)))))
    and coalesce(((select true as "is"
  from "roles"
  inner join "invitation_roles" on "invitation_roles"."tenant_id" = "roles"."tenant_id" and "invitation_roles"."role_id" = "roles"."id"
  where "roles"."tenant_id" = $10 and "invitation_roles"."invitation_id" = "invitations"."id"
  limit 1)), false) and not coalesce(((select true as "is"
  from "roles"
  inner join "invitation_roles" on "invitation_roles"."tenant_id" = "roles"."tenant_id" and "invitation_roles"."role_id" = "roles"."id"
  where "roles"."tenant_id" = $11 and "invitation_roles"."invitation_id" = "invitations"."id" and (coalesce(((select true as "is"
  from "role_permissions"
  where "role_permissions"."tenant_id" = $12 and "role_permissions"."role_id" = "roles"."id" and "role_permissions"."permission_id" not in (select "role_permissions"."permission_id"
  from "user_roles"
  inner join "role_permissions" on "role_permissions"."tenant_id" = "user_roles"."tenant_id" and "role_permissions"."role_id" = "user_roles"."role_id"
  where "user_roles"."tenant_id" = $13 and "user_roles"."user_id" = invitations.invited_by_id)
  limit 1)), false) or roles.code in ('admin', 'tenant-admin')
      and invitations.invited_by_id not in ((select "user_roles"."user_id"
  from "user_roles"
  inner join "roles" on "roles"."tenant_id" = "user_roles"."tenant_id" and "roles"."id" = "user_roles"."role_id"
  where "user_roles"."tenant_id" = $14 and "roles"."code" in ($15, $16))))
  limit 1)), false))
    then 'withdrawn' else case when invitations.status = 'pending' and invitations.expires_at <= clock_timestamp()
  then 'expired' else invitations.status end end as "status", case when "inviter"."deleted_at" is null
    then coalesce(nullif("inviter"."nickname", ''), "inviter"."username") else '' end as "invited_by_name", ((select "departments"."id"
  from "departments"
  where "departments"."tenant_id" = $17 and "departments"."id" = "invitations"."department_id")) as "department_id", "invitations"."mail_id", "invitations"."created_at", array((select "roles"."code"
  from "roles"
  inner join "invitation_roles" on "invitation_roles"."tenant_id" = "roles"."tenant_id" and "invitation_roles"."role_id" = "roles"."id"
  where "roles"."tenant_id" = $18 and "invitation_roles"."invitation_id" = "invitations"."id"
  order by "roles"."id")) as "roles", (select count(*) as "total"
  from (select 1 as "one"
  from "invitations"
  inner join "users" as "inviter" on "inviter"."tenant_id" = "invitations"."tenant_id" and "inviter"."id" = "invitations"."invited_by_id"
  where "invitations"."tenant_id" = $19 and case when case when invitations.status = 'pending' and invitations.expires_at <= clock_timestamp()
  then 'expired' else invitations.status end = 'pending' and not (coalesce(((select true as "is"
  from "users"
  where "users"."tenant_id" = $20 and "users"."status" = $21 and "users"."id" = invitations.invited_by_id and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $22 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $23 and "permissions"."code" = $24))))
  limit 1)), false)
    and (((select "departments"."id"
  from "departments"
  where "departments"."tenant_id" = $25 and "departments"."id" = "invitations"."department_id")) is null or invitations.invited_by_id in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $26 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $27 and "permissions"."code" = $28)))))
    and coalesce(((select true as "is"
  from "roles"
  inner join "invitation_roles" on "invitation_roles"."tenant_id" = "roles"."tenant_id" and "invitation_roles"."role_id" = "roles"."id"
  where "roles"."tenant_id" = $29 and "invitation_roles"."invitation_id" = "invitations"."id"
  limit 1)), false) and not coalesce(((select true as "is"
  from "roles"
  inner join "invitation_roles" on "invitation_roles"."tenant_id" = "roles"."tenant_id" and "invitation_roles"."role_id" = "roles"."id"
  where "roles"."tenant_id" = $30 and "invitation_roles"."invitation_id" = "invitations"."id" and (coalesce(((select true as "is"
  from "role_permissions"
  where "role_permissions"."tenant_id" = $31 and "role_permissions"."role_id" = "roles"."id" and "role_permissions"."permission_id" not in (select "role_permissions"."permission_id"
  from "user_roles"
  inner join "role_permissions" on "role_permissions"."tenant_id" = "user_roles"."tenant_id" and "role_permissions"."role_id" = "user_roles"."role_id"
  where "user_roles"."tenant_id" = $32 and "user_roles"."user_id" = invitations.invited_by_id)
  limit 1)), false) or roles.code in ('admin', 'tenant-admin')
      and invitations.invited_by_id not in ((select "user_roles"."user_id"
  from "user_roles"
  inner join "roles" on "roles"."tenant_id" = "user_roles"."tenant_id" and "roles"."id" = "user_roles"."role_id"
  where "user_roles"."tenant_id" = $33 and "roles"."code" in ($34, $35))))
  limit 1)), false))
    then 'withdrawn' else case when invitations.status = 'pending' and invitations.expires_at <= clock_timestamp()
  then 'expired' else invitations.status end end = $36
  order by "invitations"."id" desc
  limit $37) as "counted") as "total"
  from "invitations"
  inner join "users" as "inviter" on "inviter"."tenant_id" = "invitations"."tenant_id" and "inviter"."id" = "invitations"."invited_by_id"
  where "invitations"."tenant_id" = $38 and case when case when invitations.status = 'pending' and invitations.expires_at <= clock_timestamp()
  then 'expired' else invitations.status end = 'pending' and not (coalesce(((select true as "is"
  from "users"
  where "users"."tenant_id" = $39 and "users"."status" = $40 and "users"."id" = invitations.invited_by_id and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $41 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $42 and "permissions"."code" = $43))))
  limit 1)), false)
    and (((select "departments"."id"
  from "departments"
  where "departments"."tenant_id" = $44 and "departments"."id" = "invitations"."department_id")) is null or invitations.invited_by_id in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $45 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $46 and "permissions"."code" = $47)))))
    and coalesce(((select true as "is"
  from "roles"
  inner join "invitation_roles" on "invitation_roles"."tenant_id" = "roles"."tenant_id" and "invitation_roles"."role_id" = "roles"."id"
  where "roles"."tenant_id" = $48 and "invitation_roles"."invitation_id" = "invitations"."id"
  limit 1)), false) and not coalesce(((select true as "is"
  from "roles"
  inner join "invitation_roles" on "invitation_roles"."tenant_id" = "roles"."tenant_id" and "invitation_roles"."role_id" = "roles"."id"
  where "roles"."tenant_id" = $49 and "invitation_roles"."invitation_id" = "invitations"."id" and (coalesce(((select true as "is"
  from "role_permissions"
  where "role_permissions"."tenant_id" = $50 and "role_permissions"."role_id" = "roles"."id" and "role_permissions"."permission_id" not in (select "role_permissions"."permission_id"
  from "user_roles"
  inner join "role_permissions" on "role_permissions"."tenant_id" = "user_roles"."tenant_id" and "role_permissions"."role_id" = "user_roles"."role_id"
  where "user_roles"."tenant_id" = $51 and "user_roles"."user_id" = invitations.invited_by_id)
  limit 1)), false) or roles.code in ('admin', 'tenant-admin')
      and invitations.invited_by_id not in ((select "user_roles"."user_id"
  from "user_roles"
  inner join "roles" on "roles"."tenant_id" = "user_roles"."tenant_id" and "roles"."id" = "user_roles"."role_id"
  where "user_roles"."tenant_id" = $52 and "roles"."code" in ($53, $54))))
  limit 1)), false))
    then 'withdrawn' else case when invitations.status = 'pending' and invitations.expires_at <= clock_timestamp()
  then 'expired' else invitations.status end end = $55
  order by "invitations"."id" desc
  limit $56;

-- invitations.getInvitationRow(id)
select "invitations"."id", "invitations"."email", "invitations"."note", case when invitations.status = 'pending' and invitations.expires_at <= clock_timestamp()
  then 'expired' else invitations.status end as "status", ((select "departments"."id"
  from "departments"
  where "departments"."tenant_id" = $1 and "departments"."id" = "invitations"."department_id")) as "department_id"
  from "invitations"
  where "invitations"."tenant_id" = $2 and "invitations"."id" = $3;

-- invitations.findInvitationWith(tokenHash)
select "invitations"."id", "invitations"."email", "invitations"."invited_by_id", "invitations"."expires_at", case when case when invitations.status = 'pending' and invitations.expires_at <= clock_timestamp()
  then 'expired' else invitations.status end = 'pending' and not (coalesce(((select true as "is"
  from "users"
  where "users"."tenant_id" = $1 and "users"."status" = $2 and "users"."id" = invitations.invited_by_id and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $3 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $4 and "permissions"."code" = $5))))
  limit 1)), false)
    and (((select "departments"."id"
  from "departments"
  where "departments"."tenant_id" = $6 and "departments"."id" = "invitations"."department_id")) is null or invitations.invited_by_id in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $7 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $8 and "permissions"."code" = $9)))))
    and coalesce(((select true as "is"
  from "roles"
  inner join "invitation_roles" on "invitation_roles"."tenant_id" = "roles"."tenant_id" and "invitation_roles"."role_id" = "roles"."id"
  where "roles"."tenant_id" = $10 and "invitation_roles"."invitation_id" = "invitations"."id"
  limit 1)), false) and not coalesce(((select true as "is"
  from "roles"
  inner join "invitation_roles" on "invitation_roles"."tenant_id" = "roles"."tenant_id" and "invitation_roles"."role_id" = "roles"."id"
  where "roles"."tenant_id" = $11 and "invitation_roles"."invitation_id" = "invitations"."id" and (coalesce(((select true as "is"
  from "role_permissions"
  where "role_permissions"."tenant_id" = $12 and "role_permissions"."role_id" = "roles"."id" and "role_permissions"."permission_id" not in (select "role_permissions"."permission_id"
  from "user_roles"
  inner join "role_permissions" on "role_permissions"."tenant_id" = "user_roles"."tenant_id" and "role_permissions"."role_id" = "user_roles"."role_id"
  where "user_roles"."tenant_id" = $13 and "user_roles"."user_id" = invitations.invited_by_id)
  limit 1)), false) or roles.code in ('admin', 'tenant-admin')
      and invitations.invited_by_id not in ((select "user_roles"."user_id"
  from "user_roles"
  inner join "roles" on "roles"."tenant_id" = "user_roles"."tenant_id" and "roles"."id" = "user_roles"."role_id"
  where "user_roles"."tenant_id" = $14 and "roles"."code" in ($15, $16))))
  limit 1)), false))
    then 'withdrawn' else case when invitations.status = 'pending' and invitations.expires_at <= clock_timestamp()
  then 'expired' else invitations.status end end as "status", case when "inviter"."deleted_at" is null
    then coalesce(nullif("inviter"."nickname", ''), "inviter"."username") else '' end as "invited_by_name", ((select "departments"."id"
  from "departments"
  where "departments"."tenant_id" = $17 and "departments"."id" = "invitations"."department_id")) as "department_id", invitations.mailed_token_hash is not distinct
  from $18 as "is_mailed"
  from "invitations"
  inner join "users" as "inviter" on "inviter"."tenant_id" = "invitations"."tenant_id" and "inviter"."id" = "invitations"."invited_by_id"
  where "invitations"."tenant_id" = $19 and ("invitations"."token_hash" = $20 or "invitations"."mailed_token_hash" = $21);

-- invitations.findInvitationTo(email)
select "invitations"."id", "invitations"."email", "invitations"."invited_by_id", "invitations"."expires_at", case when case when invitations.status = 'pending' and invitations.expires_at <= clock_timestamp()
  then 'expired' else invitations.status end = 'pending' and not (coalesce(((select true as "is"
  from "users"
  where "users"."tenant_id" = $1 and "users"."status" = $2 and "users"."id" = invitations.invited_by_id and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $3 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $4 and "permissions"."code" = $5))))
  limit 1)), false)
    and (((select "departments"."id"
  from "departments"
  where "departments"."tenant_id" = $6 and "departments"."id" = "invitations"."department_id")) is null or invitations.invited_by_id in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $7 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $8 and "permissions"."code" = $9)))))
    and coalesce(((select true as "is"
  from "roles"
  inner join "invitation_roles" on "invitation_roles"."tenant_id" = "roles"."tenant_id" and "invitation_roles"."role_id" = "roles"."id"
  where "roles"."tenant_id" = $10 and "invitation_roles"."invitation_id" = "invitations"."id"
  limit 1)), false) and not coalesce(((select true as "is"
  from "roles"
  inner join "invitation_roles" on "invitation_roles"."tenant_id" = "roles"."tenant_id" and "invitation_roles"."role_id" = "roles"."id"
  where "roles"."tenant_id" = $11 and "invitation_roles"."invitation_id" = "invitations"."id" and (coalesce(((select true as "is"
  from "role_permissions"
  where "role_permissions"."tenant_id" = $12 and "role_permissions"."role_id" = "roles"."id" and "role_permissions"."permission_id" not in (select "role_permissions"."permission_id"
  from "user_roles"
  inner join "role_permissions" on "role_permissions"."tenant_id" = "user_roles"."tenant_id" and "role_permissions"."role_id" = "user_roles"."role_id"
  where "user_roles"."tenant_id" = $13 and "user_roles"."user_id" = invitations.invited_by_id)
  limit 1)), false) or roles.code in ('admin', 'tenant-admin')
      and invitations.invited_by_id not in ((select "user_roles"."user_id"
  from "user_roles"
  inner join "roles" on "roles"."tenant_id" = "user_roles"."tenant_id" and "roles"."id" = "user_roles"."role_id"
  where "user_roles"."tenant_id" = $14 and "roles"."code" in ($15, $16))))
  limit 1)), false))
    then 'withdrawn' else case when invitations.status = 'pending' and invitations.expires_at <= clock_timestamp()
  then 'expired' else invitations.status end end as "status", case when "inviter"."deleted_at" is null
    then coalesce(nullif("inviter"."nickname", ''), "inviter"."username") else '' end as "invited_by_name", ((select "departments"."id"
  from "departments"
  where "departments"."tenant_id" = $17 and "departments"."id" = "invitations"."department_id")) as "department_id"
  from "invitations"
  inner join "users" as "inviter" on "inviter"."tenant_id" = "invitations"."tenant_id" and "inviter"."id" = "invitations"."invited_by_id"
  where "invitations"."tenant_id" = $18 and "invitations"."status" = $19 and lower(invitations.email) = lower($20);

-- invitations.listRoleIdsNamed(invitationId)
select "invitation_roles"."role_id"
  from "invitation_roles"
  where "invitation_roles"."tenant_id" = $1 and "invitation_roles"."invitation_id" = $2
  order by "invitation_roles"."role_id";

-- invitations.insertInvitation(id, tokenHash, expiresAt, invitedById, mailedTokenHash, mailId, email, departmentId, note, createdAt)
insert into "invitations" ("id", "token_hash", "expires_at", "invited_by_id", "mailed_token_hash", "mail_id", "email", "department_id", "note", "created_at", "tenant_id")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11);

-- invitations.insertInvitationRole(invitationId, roleId)
insert into "invitation_roles" ("invitation_id", "role_id", "tenant_id")
  values ($1, $2, $3);

-- invitations.renewInvitation(id, tokenHash, expiresAt, invitedById, mailedTokenHash, mailId)
update "invitations"
  set "token_hash" = $1, "expires_at" = $2, "invited_by_id" = $3, "mailed_token_hash" = $4, "mail_id" = $5, "status" = $6
  where "invitations"."tenant_id" = $7 and "invitations"."id" = $8;

-- invitations.saveStatus(id, status)
update "invitations"
  set "status" = $1
  where "invitations"."tenant_id" = $2 and "invitations"."id" = $3;

-- invitations.listWaitingOf(userId, most)
select "invitations"."id", "invitations"."email" as "name"
  from "invitations"
  where "invitations"."tenant_id" = $1 and "invitations"."invited_by_id" = $2 and case when invitations.status = 'pending' and invitations.expires_at <= clock_timestamp()
  then 'expired' else invitations.status end = $3
  order by "invitations"."id"
  limit $4;

-- invitations.listWaitingOf(userId, most, heir)
select "invitations"."id", "invitations"."email" as "name"
  from "invitations"
  where "invitations"."tenant_id" = $1 and "invitations"."invited_by_id" = $2 and case when invitations.status = 'pending' and invitations.expires_at <= clock_timestamp()
  then 'expired' else invitations.status end = $3 and (coalesce(((select true as "is"
  from "users"
  where "users"."tenant_id" = $4 and "users"."status" = $5 and "users"."id" = $6::bigint and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $7 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $8 and "permissions"."code" = $9))))
  limit 1)), false)
    and (((select "departments"."id"
  from "departments"
  where "departments"."tenant_id" = $10 and "departments"."id" = "invitations"."department_id")) is null or $11::bigint in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $12 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $13 and "permissions"."code" = $14)))))
    and coalesce(((select true as "is"
  from "roles"
  inner join "invitation_roles" on "invitation_roles"."tenant_id" = "roles"."tenant_id" and "invitation_roles"."role_id" = "roles"."id"
  where "roles"."tenant_id" = $15 and "invitation_roles"."invitation_id" = "invitations"."id"
  limit 1)), false) and not coalesce(((select true as "is"
  from "roles"
  inner join "invitation_roles" on "invitation_roles"."tenant_id" = "roles"."tenant_id" and "invitation_roles"."role_id" = "roles"."id"
  where "roles"."tenant_id" = $16 and "invitation_roles"."invitation_id" = "invitations"."id" and (coalesce(((select true as "is"
  from "role_permissions"
  where "role_permissions"."tenant_id" = $17 and "role_permissions"."role_id" = "roles"."id" and "role_permissions"."permission_id" not in (select "role_permissions"."permission_id"
  from "user_roles"
  inner join "role_permissions" on "role_permissions"."tenant_id" = "user_roles"."tenant_id" and "role_permissions"."role_id" = "user_roles"."role_id"
  where "user_roles"."tenant_id" = $18 and "user_roles"."user_id" = $19::bigint)
  limit 1)), false) or roles.code in ('admin', 'tenant-admin')
      and $20::bigint not in ((select "user_roles"."user_id"
  from "user_roles"
  inner join "roles" on "roles"."tenant_id" = "user_roles"."tenant_id" and "roles"."id" = "user_roles"."role_id"
  where "user_roles"."tenant_id" = $21 and "roles"."code" in ($22, $23))))
  limit 1)), false))
  order by "invitations"."id"
  limit $24;

-- invitations.passInvitation(id, tokenHash, invitedById)
update "invitations"
  set "token_hash" = $1, "invited_by_id" = $2
  where "invitations"."tenant_id" = $3 and "invitations"."id" = $4;

-- invitations.withdrawAllOf(userId)
update "invitations"
  set "status" = $1
  where "invitations"."tenant_id" = $2 and "invitations"."invited_by_id" = $3 and "invitations"."status" = $4 and "invitations"."expires_at" > statement_timestamp()
  returning "invitations"."id";

-- invitations.acceptInvitation(id, acceptedById)
update "invitations"
  set "status" = $1, "accepted_by_id" = $2
  where "invitations"."tenant_id" = $3 and "invitations"."id" = $4;

-- invitations.clearAddressOf(userId)
update "invitations"
  set "email" = $1
  where "invitations"."tenant_id" = $2 and "invitations"."accepted_by_id" = $3;

-- invitations.removeOldInvitations(most)
delete
  from "invitations"
  where "invitations"."tenant_id" = $1 and "invitations"."ctid" = any(array((select "invitations"."ctid" as "place"
  from "invitations"
  where "invitations"."tenant_id" = $2 and "invitations"."expires_at" < now() - interval '90 days'
  order by "invitations"."expires_at"
  limit $3
  for update skip locked)));
