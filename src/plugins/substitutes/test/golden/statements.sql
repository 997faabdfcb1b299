-- approvals.getApproval(id), in place of line 33 to 38
  limit 1)), false))) as "leader_acts", ((select ((select json_build_object('id', users.id, 'name', case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end, 'begun', substitutes.begun) as "stand_in"
  from "substitutes"
  inner join "users" on "users"."tenant_id" = "substitutes"."tenant_id" and "users"."id" = "substitutes"."substitute_id"
  where "substitutes"."tenant_id" = $13 and "substitutes"."starts_at" <= clock_timestamp() and "substitutes"."ends_at" > clock_timestamp() and "substitutes"."user_id" = "approval_steps"."approver_id" and "users"."status" = $14 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $15 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $16 and "permissions"."code" = $17)))))) as "stand_in"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $18 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $19 and "approval_steps"."status" = $20)) as "stand_in"
  from "approvals"
  left join "users" as "applicant" on "applicant"."tenant_id" = "approvals"."tenant_id" and "applicant"."id" = "approvals"."applicant_id"
  where "approvals"."tenant_id" = $21 and "approvals"."id" = $22;

-- approvals.getApproval(id, viewerId), in place of line 33 to 45
  limit 1)), false))) as "leader_acts", ((select ((select json_build_object('id', users.id, 'name', case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end, 'begun', substitutes.begun) as "stand_in"
  from "substitutes"
  inner join "users" on "users"."tenant_id" = "substitutes"."tenant_id" and "users"."id" = "substitutes"."substitute_id"
  where "substitutes"."tenant_id" = $13 and "substitutes"."starts_at" <= clock_timestamp() and "substitutes"."ends_at" > clock_timestamp() and "substitutes"."user_id" = "approval_steps"."approver_id" and "users"."status" = $14 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $15 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $16 and "permissions"."code" = $17)))))) as "stand_in"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $18 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $19 and "approval_steps"."status" = $20)) as "stand_in"
  from "approvals"
  left join "users" as "applicant" on "applicant"."tenant_id" = "approvals"."tenant_id" and "applicant"."id" = "approvals"."applicant_id"
  where "approvals"."tenant_id" = $21 and ("approvals"."applicant_id" = $22 or "approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $23 and "approval_steps"."approver_id" = $24) or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $25 and "approval_steps"."status" = $26 and "approval_steps"."approver_id" = any(array((select "substitutes"."user_id"
  from "substitutes"
  where "substitutes"."tenant_id" = $27 and "substitutes"."starts_at" <= clock_timestamp() and "substitutes"."ends_at" > clock_timestamp() and "substitutes"."substitute_id" = $28 and "substitutes"."substitute_id" in (select "users"."id"
  from "users"
  where "users"."tenant_id" = $29 and "users"."status" = $30 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $31 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $32 and "permissions"."code" = $33))))) and "substitutes"."user_id" in (select "users"."id"
  from "users"
  where "users"."tenant_id" = $34 and "users"."status" = $35 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $36 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $37 and "permissions"."code" = $38)))))))) and "approval_steps"."approval_id" = "approvals"."id"
  limit 1)), false) or "approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $39 and "approval_steps"."acted_by" = $40)) and "approvals"."id" = $41;

-- approvals.lockApproval(id, viewerId), in place of line 8 to 11
  where "approval_steps"."tenant_id" = $5 and "approval_steps"."status" = $6 and "approval_steps"."approver_id" = any(array((select "substitutes"."user_id"
  from "substitutes"
  where "substitutes"."tenant_id" = $7 and "substitutes"."starts_at" <= clock_timestamp() and "substitutes"."ends_at" > clock_timestamp() and "substitutes"."substitute_id" = $8 and "substitutes"."substitute_id" in (select "users"."id"
  from "users"
  where "users"."tenant_id" = $9 and "users"."status" = $10 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $11 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $12 and "permissions"."code" = $13))))) and "substitutes"."user_id" in (select "users"."id"
  from "users"
  where "users"."tenant_id" = $14 and "users"."status" = $15 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $16 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $17 and "permissions"."code" = $18)))))))) and "approval_steps"."approval_id" = "approvals"."id"
  limit 1)), false) or "approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $19 and "approval_steps"."acted_by" = $20)) and "approvals"."id" = $21

-- approvals.listApprovals(), in place of line 35 to 41
  limit 1)), false))) as "leader_acts", ((select ((select json_build_object('id', users.id, 'name', case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end, 'begun', substitutes.begun) as "stand_in"
  from "substitutes"
  inner join "users" on "users"."tenant_id" = "substitutes"."tenant_id" and "users"."id" = "substitutes"."substitute_id"
  where "substitutes"."tenant_id" = $14 and "substitutes"."starts_at" <= clock_timestamp() and "substitutes"."ends_at" > clock_timestamp() and "substitutes"."user_id" = "approval_steps"."approver_id" and "users"."status" = $15 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $16 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $17 and "permissions"."code" = $18)))))) as "stand_in"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $19 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $20 and "approval_steps"."status" = $21)) as "stand_in"
  from "approvals"
  where "approvals"."tenant_id" = $22 and "approvals"."id" < $23
  order by "approvals"."id" desc
  limit $24;

-- approvals.listApprovals(), in place of line 35 to 41
  limit 1)), false))) as "leader_acts", ((select ((select json_build_object('id', users.id, 'name', case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end, 'begun', substitutes.begun) as "stand_in"
  from "substitutes"
  inner join "users" on "users"."tenant_id" = "substitutes"."tenant_id" and "users"."id" = "substitutes"."substitute_id"
  where "substitutes"."tenant_id" = $14 and "substitutes"."starts_at" <= clock_timestamp() and "substitutes"."ends_at" > clock_timestamp() and "substitutes"."user_id" = "approval_steps"."approver_id" and "users"."status" = $15 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $16 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $17 and "permissions"."code" = $18)))))) as "stand_in"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $19 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $20 and "approval_steps"."status" = $21)) as "stand_in"
  from "approvals"
  where "approvals"."tenant_id" = $22
  order by "approvals"."id" desc
  limit $23 offset $24;

-- approvals.listApprovals(), in place of line 36 to 42
  limit 1)), false))) as "leader_acts", ((select ((select json_build_object('id', users.id, 'name', case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end, 'begun', substitutes.begun) as "stand_in"
  from "substitutes"
  inner join "users" on "users"."tenant_id" = "substitutes"."tenant_id" and "users"."id" = "substitutes"."substitute_id"
  where "substitutes"."tenant_id" = $14 and "substitutes"."starts_at" <= clock_timestamp() and "substitutes"."ends_at" > clock_timestamp() and "substitutes"."user_id" = "approval_steps"."approver_id" and "users"."status" = $15 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $16 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $17 and "permissions"."code" = $18)))))) as "stand_in"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $19 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $20 and "approval_steps"."status" = $21)) as "stand_in"
  from "approvals"
  where "approvals"."tenant_id" = $22
  order by "approvals"."id" desc
  limit $23) as "window";

-- approvals.listApprovals(viewerId, status), in place of line 35 to 93
  limit 1)), false))) as "leader_acts", ((select ((select json_build_object('id', users.id, 'name', case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end, 'begun', substitutes.begun) as "stand_in"
  from "substitutes"
  inner join "users" on "users"."tenant_id" = "substitutes"."tenant_id" and "users"."id" = "substitutes"."substitute_id"
  where "substitutes"."tenant_id" = $14 and "substitutes"."starts_at" <= clock_timestamp() and "substitutes"."ends_at" > clock_timestamp() and "substitutes"."user_id" = "approval_steps"."approver_id" and "users"."status" = $15 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $16 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $17 and "permissions"."code" = $18)))))) as "stand_in"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $19 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $20 and "approval_steps"."status" = $21)) as "stand_in", (select count(*) as "total"
  from (select 1 as "one"
  from (select "approvals"."id", "approvals"."type", "approvals"."title", "approvals"."business_key", "approvals"."applicant_id", "approvals"."department_id", "approvals"."department_name", "approvals"."status", "approvals"."current_step", "approvals"."payload", "approvals"."version", "approvals"."created_at", "approvals"."updated_at", "approvals"."submitted_at", "approvals"."completed_at"
  from "approvals"
  where "approvals"."tenant_id" = $22 and "approvals"."id" in (((select "approvals"."id"
  from "approvals"
  where "approvals"."tenant_id" = $23 and "approvals"."applicant_id" = $24
  order by "approvals"."id" desc
  limit (100001) * 1)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $25 and "approval_steps"."approver_id" = $26
  order by "approval_steps"."approval_id" desc
  limit (100001) * 2)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $27 and "approval_steps"."acted_by" = $28
  order by "approval_steps"."approval_id" desc
  limit (100001) * 2)))
  order by "approvals"."id" desc
  limit 100000) as "approvals"
  where "approvals"."status" = $29
  limit $30) as "counted") as "total", exists ((select "approvals"."id"
  from "approvals"
  where "approvals"."tenant_id" = $31 and "approvals"."id" in (((select "approvals"."id"
  from "approvals"
  where "approvals"."tenant_id" = $32 and "approvals"."applicant_id" = $33
  order by "approvals"."id" desc
  limit (100001) * 1)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $34 and "approval_steps"."approver_id" = $35
  order by "approval_steps"."approval_id" desc
  limit (100001) * 2)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $36 and "approval_steps"."acted_by" = $37
  order by "approval_steps"."approval_id" desc
  limit (100001) * 2)))
  order by "approvals"."id" desc
  limit 1 offset 100000)) as "beyond"
  from (select "approvals"."id", "approvals"."type", "approvals"."title", "approvals"."business_key", "approvals"."applicant_id", "approvals"."department_id", "approvals"."department_name", "approvals"."status", "approvals"."current_step", "approvals"."payload", "approvals"."version", "approvals"."created_at", "approvals"."updated_at", "approvals"."submitted_at", "approvals"."completed_at"
  from "approvals"
  where "approvals"."tenant_id" = $38 and "approvals"."id" in (((select "approvals"."id"
  from "approvals"
  where "approvals"."tenant_id" = $39 and "approvals"."applicant_id" = $40
  order by "approvals"."id" desc
  limit (100001) * 1)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $41 and "approval_steps"."approver_id" = $42
  order by "approval_steps"."approval_id" desc
  limit (100001) * 2)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $43 and "approval_steps"."acted_by" = $44
  order by "approval_steps"."approval_id" desc
  limit (100001) * 2)))
  order by "approvals"."id" desc
  limit 100000) as "approvals"
  where "approvals"."status" = $45
  order by "approvals"."id" desc
  limit $46;

-- approvals.listApprovals(viewerId, applicantId), in place of line 35 to 91
  limit 1)), false))) as "leader_acts", ((select ((select json_build_object('id', users.id, 'name', case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end, 'begun', substitutes.begun) as "stand_in"
  from "substitutes"
  inner join "users" on "users"."tenant_id" = "substitutes"."tenant_id" and "users"."id" = "substitutes"."substitute_id"
  where "substitutes"."tenant_id" = $14 and "substitutes"."starts_at" <= clock_timestamp() and "substitutes"."ends_at" > clock_timestamp() and "substitutes"."user_id" = "approval_steps"."approver_id" and "users"."status" = $15 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $16 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $17 and "permissions"."code" = $18)))))) as "stand_in"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $19 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $20 and "approval_steps"."status" = $21)) as "stand_in", (select count(*) as "total"
  from (select 1 as "one"
  from (select "approvals"."id", "approvals"."type", "approvals"."title", "approvals"."business_key", "approvals"."applicant_id", "approvals"."department_id", "approvals"."department_name", "approvals"."status", "approvals"."current_step", "approvals"."payload", "approvals"."version", "approvals"."created_at", "approvals"."updated_at", "approvals"."submitted_at", "approvals"."completed_at"
  from "approvals"
  where "approvals"."tenant_id" = $22 and "approvals"."id" in (((select "approvals"."id"
  from "approvals"
  where "approvals"."tenant_id" = $23 and "approvals"."applicant_id" = $24
  order by "approvals"."id" desc
  limit (100001) * 1)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $25 and "approval_steps"."approver_id" = $26
  order by "approval_steps"."approval_id" desc
  limit (100001) * 2)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $27 and "approval_steps"."acted_by" = $28
  order by "approval_steps"."approval_id" desc
  limit (100001) * 2))) and "approvals"."applicant_id" = $29
  order by "approvals"."id" desc
  limit 100000) as "approvals"
  limit $30) as "counted") as "total", exists ((select "approvals"."id"
  from "approvals"
  where "approvals"."tenant_id" = $31 and "approvals"."id" in (((select "approvals"."id"
  from "approvals"
  where "approvals"."tenant_id" = $32 and "approvals"."applicant_id" = $33
  order by "approvals"."id" desc
  limit (100001) * 1)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $34 and "approval_steps"."approver_id" = $35
  order by "approval_steps"."approval_id" desc
  limit (100001) * 2)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $36 and "approval_steps"."acted_by" = $37
  order by "approval_steps"."approval_id" desc
  limit (100001) * 2))) and "approvals"."applicant_id" = $38
  order by "approvals"."id" desc
  limit 1 offset 100000)) as "beyond"
  from (select "approvals"."id", "approvals"."type", "approvals"."title", "approvals"."business_key", "approvals"."applicant_id", "approvals"."department_id", "approvals"."department_name", "approvals"."status", "approvals"."current_step", "approvals"."payload", "approvals"."version", "approvals"."created_at", "approvals"."updated_at", "approvals"."submitted_at", "approvals"."completed_at"
  from "approvals"
  where "approvals"."tenant_id" = $39 and "approvals"."id" in (((select "approvals"."id"
  from "approvals"
  where "approvals"."tenant_id" = $40 and "approvals"."applicant_id" = $41
  order by "approvals"."id" desc
  limit (100001) * 1)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $42 and "approval_steps"."approver_id" = $43
  order by "approval_steps"."approval_id" desc
  limit (100001) * 2)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $44 and "approval_steps"."acted_by" = $45
  order by "approval_steps"."approval_id" desc
  limit (100001) * 2))) and "approvals"."applicant_id" = $46
  order by "approvals"."id" desc
  limit 100000) as "approvals"
  order by "approvals"."id" desc
  limit $47;

-- approvals.listApprovals(viewerId, approverId), in place of line 35 to 102
  limit 1)), false))) as "leader_acts", ((select ((select json_build_object('id', users.id, 'name', case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end, 'begun', substitutes.begun) as "stand_in"
  from "substitutes"
  inner join "users" on "users"."tenant_id" = "substitutes"."tenant_id" and "users"."id" = "substitutes"."substitute_id"
  where "substitutes"."tenant_id" = $14 and "substitutes"."starts_at" <= clock_timestamp() and "substitutes"."ends_at" > clock_timestamp() and "substitutes"."user_id" = "approval_steps"."approver_id" and "users"."status" = $15 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $16 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $17 and "permissions"."code" = $18)))))) as "stand_in"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $19 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $20 and "approval_steps"."status" = $21)) as "stand_in", (select count(*) as "total"
  from (select 1 as "one"
  from "approvals"
  inner join "approval_steps" on "approval_steps"."tenant_id" = "approvals"."tenant_id" and "approval_steps"."approval_id" = "approvals"."id"
  where "approvals"."tenant_id" = $22 and "approvals"."id" in (((select "approvals"."id"
  from "approvals"
  where "approvals"."tenant_id" = $23 and "approvals"."applicant_id" = $24
  order by "approvals"."id" desc
  limit ($25::integer) * 1)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $26 and "approval_steps"."approver_id" = $27
  order by "approval_steps"."approval_id" desc
  limit ($28::integer) * 2)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $29 and "approval_steps"."acted_by" = $30
  order by "approval_steps"."approval_id" desc
  limit ($31::integer) * 2))) and "approval_steps"."approver_id" = $32 and "approval_steps"."status" = $33 and (coalesce(((select true as "is"
  from "users"
  where "users"."tenant_id" = $34 and "users"."status" = $35 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $36 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $37 and "permissions"."code" = $38)))) and "users"."id" = $39
  limit 1)), false) and (coalesce(((select true as "is"
  from "departments"
  where "departments"."tenant_id" = $40 and "departments"."status" = $41 and "departments"."id" = "approvals"."department_id"
  limit 1)), false)
    or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $42 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $43 and "approval_steps"."reassigned" = $44
  limit 1)), false)))
  order by "approvals"."id" desc
  limit $45) as "counted") as "total"
  from "approvals"
  inner join "approval_steps" on "approval_steps"."tenant_id" = "approvals"."tenant_id" and "approval_steps"."approval_id" = "approvals"."id"
  where "approvals"."tenant_id" = $46 and "approvals"."id" in (((select "approvals"."id"
  from "approvals"
  where "approvals"."tenant_id" = $47 and "approvals"."applicant_id" = $48
  order by "approvals"."id" desc
  limit ($49::integer) * 1)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $50 and "approval_steps"."approver_id" = $51
  order by "approval_steps"."approval_id" desc
  limit ($52::integer) * 2)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $53 and "approval_steps"."acted_by" = $54
  order by "approval_steps"."approval_id" desc
  limit ($55::integer) * 2))) and "approval_steps"."approver_id" = $56 and "approval_steps"."status" = $57 and (coalesce(((select true as "is"
  from "users"
  where "users"."tenant_id" = $58 and "users"."status" = $59 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $60 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $61 and "permissions"."code" = $62)))) and "users"."id" = $63
  limit 1)), false) and (coalesce(((select true as "is"
  from "departments"
  where "departments"."tenant_id" = $64 and "departments"."status" = $65 and "departments"."id" = "approvals"."department_id"
  limit 1)), false)
    or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $66 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $67 and "approval_steps"."reassigned" = $68
  limit 1)), false)))
  order by "approvals"."id" desc
  limit $69;

-- approvals.listApprovals(approverId, orAdministrators), in place of line 35 to 121
  limit 1)), false))) as "leader_acts", ((select ((select json_build_object('id', users.id, 'name', case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end, 'begun', substitutes.begun) as "stand_in"
  from "substitutes"
  inner join "users" on "users"."tenant_id" = "substitutes"."tenant_id" and "users"."id" = "substitutes"."substitute_id"
  where "substitutes"."tenant_id" = $14 and "substitutes"."starts_at" <= clock_timestamp() and "substitutes"."ends_at" > clock_timestamp() and "substitutes"."user_id" = "approval_steps"."approver_id" and "users"."status" = $15 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $16 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $17 and "permissions"."code" = $18)))))) as "stand_in"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $19 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $20 and "approval_steps"."status" = $21)) as "stand_in", (select count(*) as "total"
  from (select 1 as "one"
  from (select "approvals"."id", "approvals"."type", "approvals"."title", "approvals"."business_key", "approvals"."applicant_id", "approvals"."department_id", "approvals"."department_name", "approvals"."status", "approvals"."current_step", "approvals"."payload", "approvals"."version", "approvals"."created_at", "approvals"."updated_at", "approvals"."submitted_at", "approvals"."completed_at"
  from "approvals"
  where "approvals"."tenant_id" = $22 and "approvals"."status" = $23
  order by "approvals"."id" desc
  limit 100000) as "approvals"
  where ("approvals"."current_step" = $24 or ("approvals"."current_step" = $25 and not coalesce(((select "approval_steps"."approver_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $26 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $27)) in ((select "users"."id"
  from "users"
  where "users"."tenant_id" = $28 and "users"."status" = $29 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $30 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $31 and "permissions"."code" = $32))))))
    and (approvals.department_id in ((select "departments"."id"
  from "departments"
  where "departments"."tenant_id" = $33 and "departments"."status" = $34)) or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $35 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $36 and "approval_steps"."reassigned" = $37
  limit 1)), false)), false)) or ("approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $38 and "approval_steps"."approver_id" = $39 and "approval_steps"."status" = $40) and coalesce(((select "approval_steps"."approver_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $41 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $42)) in ((select "users"."id"
  from "users"
  where "users"."tenant_id" = $43 and "users"."status" = $44 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $45 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $46 and "permissions"."code" = $47))))))
    and (approvals.department_id in ((select "departments"."id"
  from "departments"
  where "departments"."tenant_id" = $48 and "departments"."status" = $49)) or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $50 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $51 and "approval_steps"."reassigned" = $52
  limit 1)), false)), false)))
  limit $53) as "counted") as "total", exists ((select "approvals"."id"
  from "approvals"
  where "approvals"."tenant_id" = $54 and "approvals"."status" = $55
  order by "approvals"."id" desc
  limit 1 offset 100000)) as "beyond"
  from (select "approvals"."id", "approvals"."type", "approvals"."title", "approvals"."business_key", "approvals"."applicant_id", "approvals"."department_id", "approvals"."department_name", "approvals"."status", "approvals"."current_step", "approvals"."payload", "approvals"."version", "approvals"."created_at", "approvals"."updated_at", "approvals"."submitted_at", "approvals"."completed_at"
  from "approvals"
  where "approvals"."tenant_id" = $56 and "approvals"."status" = $57
  order by "approvals"."id" desc
  limit 100000) as "approvals"
  where ("approvals"."current_step" = $58 or ("approvals"."current_step" = $59 and not coalesce(((select "approval_steps"."approver_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $60 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $61)) in ((select "users"."id"
  from "users"
  where "users"."tenant_id" = $62 and "users"."status" = $63 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $64 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $65 and "permissions"."code" = $66))))))
    and (approvals.department_id in ((select "departments"."id"
  from "departments"
  where "departments"."tenant_id" = $67 and "departments"."status" = $68)) or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $69 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $70 and "approval_steps"."reassigned" = $71
  limit 1)), false)), false)) or ("approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $72 and "approval_steps"."approver_id" = $73 and "approval_steps"."status" = $74) and coalesce(((select "approval_steps"."approver_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $75 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $76)) in ((select "users"."id"
  from "users"
  where "users"."tenant_id" = $77 and "users"."status" = $78 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $79 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $80 and "permissions"."code" = $81))))))
    and (approvals.department_id in ((select "departments"."id"
  from "departments"
  where "departments"."tenant_id" = $82 and "departments"."status" = $83)) or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $84 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $85 and "approval_steps"."reassigned" = $86
  limit 1)), false)), false)))
  order by "approvals"."id" desc
  limit $87;

-- approvals.listApprovals(viewerId, status, pattern, departmentId, from, to, applicantId, ownerId, approverId, represented, orAdministrators), in place of line 35 to 203
  limit 1)), false))) as "leader_acts", ((select ((select json_build_object('id', users.id, 'name', case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end, 'begun', substitutes.begun) as "stand_in"
  from "substitutes"
  inner join "users" on "users"."tenant_id" = "substitutes"."tenant_id" and "users"."id" = "substitutes"."substitute_id"
  where "substitutes"."tenant_id" = $14 and "substitutes"."starts_at" <= clock_timestamp() and "substitutes"."ends_at" > clock_timestamp() and "substitutes"."user_id" = "approval_steps"."approver_id" and "users"."status" = $15 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $16 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $17 and "permissions"."code" = $18)))))) as "stand_in"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $19 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $20 and "approval_steps"."status" = $21)) as "stand_in", (select count(*) as "total"
  from (select 1 as "one"
  from (select "approvals"."id", "approvals"."type", "approvals"."title", "approvals"."business_key", "approvals"."applicant_id", "approvals"."department_id", "approvals"."department_name", "approvals"."status", "approvals"."current_step", "approvals"."payload", "approvals"."version", "approvals"."created_at", "approvals"."updated_at", "approvals"."submitted_at", "approvals"."completed_at"
  from "approvals"
  where "approvals"."tenant_id" = $22 and "approvals"."id" in (((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $23 and "approval_steps"."status" = $24 and "approval_steps"."approver_id" = any($25::bigint[])
  order by "approval_steps"."approval_id" desc
  limit (100001) * 1)) union ((select "approvals"."id"
  from "approvals"
  where "approvals"."tenant_id" = $26 and "approvals"."applicant_id" = $27
  order by "approvals"."id" desc
  limit (100001) * 1)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $28 and "approval_steps"."approver_id" = $29
  order by "approval_steps"."approval_id" desc
  limit (100001) * 2)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $30 and "approval_steps"."acted_by" = $31
  order by "approval_steps"."approval_id" desc
  limit (100001) * 2))) and "approvals"."applicant_id" = $32 and "approvals"."applicant_id" = $33 and "approvals"."status" = $34
  order by "approvals"."id" desc
  limit 100000) as "approvals"
  where ("approvals"."current_step" = $35 or ("approvals"."current_step" = $36 and not coalesce(((select "approval_steps"."approver_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $37 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $38)) in ((select "users"."id"
  from "users"
  where "users"."tenant_id" = $39 and "users"."status" = $40 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $41 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $42 and "permissions"."code" = $43))))))
    and (approvals.department_id in ((select "departments"."id"
  from "departments"
  where "departments"."tenant_id" = $44 and "departments"."status" = $45)) or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $46 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $47 and "approval_steps"."reassigned" = $48
  limit 1)), false)), false)) or ("approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $49 and "approval_steps"."approver_id" = $50 and "approval_steps"."status" = $51) and coalesce(((select "approval_steps"."approver_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $52 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $53)) in ((select "users"."id"
  from "users"
  where "users"."tenant_id" = $54 and "users"."status" = $55 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $56 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $57 and "permissions"."code" = $58))))))
    and (approvals.department_id in ((select "departments"."id"
  from "departments"
  where "departments"."tenant_id" = $59 and "departments"."status" = $60)) or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $61 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $62 and "approval_steps"."reassigned" = $63
  limit 1)), false)), false)) or ("approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $64 and "approval_steps"."status" = $65 and "approval_steps"."approver_id" = any($66::bigint[])) and "approvals"."applicant_id" != $67 and coalesce(((select "approval_steps"."approver_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $68 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $69)) in ((select "users"."id"
  from "users"
  where "users"."tenant_id" = $70 and "users"."status" = $71 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $72 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $73 and "permissions"."code" = $74))))))
    and (approvals.department_id in ((select "departments"."id"
  from "departments"
  where "departments"."tenant_id" = $75 and "departments"."status" = $76)) or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $77 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $78 and "approval_steps"."reassigned" = $79
  limit 1)), false)), false))) and "approvals"."status" = $80 and "approvals"."department_id" = $81 and "approvals"."created_at" >= $82 and "approvals"."created_at" <= $83 and ("approvals"."title" ilike $84 or "approvals"."type" ilike $85 or "approvals"."business_key" ilike $86)
  limit $87) as "counted") as "total", exists ((select "approvals"."id"
  from "approvals"
  where "approvals"."tenant_id" = $88 and "approvals"."id" in (((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $89 and "approval_steps"."status" = $90 and "approval_steps"."approver_id" = any($91::bigint[])
  order by "approval_steps"."approval_id" desc
  limit (100001) * 1)) union ((select "approvals"."id"
  from "approvals"
  where "approvals"."tenant_id" = $92 and "approvals"."applicant_id" = $93
  order by "approvals"."id" desc
  limit (100001) * 1)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $94 and "approval_steps"."approver_id" = $95
  order by "approval_steps"."approval_id" desc
  limit (100001) * 2)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $96 and "approval_steps"."acted_by" = $97
  order by "approval_steps"."approval_id" desc
  limit (100001) * 2))) and "approvals"."applicant_id" = $98 and "approvals"."applicant_id" = $99 and "approvals"."status" = $100
  order by "approvals"."id" desc
  limit 1 offset 100000)) as "beyond"
  from (select "approvals"."id", "approvals"."type", "approvals"."title", "approvals"."business_key", "approvals"."applicant_id", "approvals"."department_id", "approvals"."department_name", "approvals"."status", "approvals"."current_step", "approvals"."payload", "approvals"."version", "approvals"."created_at", "approvals"."updated_at", "approvals"."submitted_at", "approvals"."completed_at"
  from "approvals"
  where "approvals"."tenant_id" = $101 and "approvals"."id" in (((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $102 and "approval_steps"."status" = $103 and "approval_steps"."approver_id" = any($104::bigint[])
  order by "approval_steps"."approval_id" desc
  limit (100001) * 1)) union ((select "approvals"."id"
  from "approvals"
  where "approvals"."tenant_id" = $105 and "approvals"."applicant_id" = $106
  order by "approvals"."id" desc
  limit (100001) * 1)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $107 and "approval_steps"."approver_id" = $108
  order by "approval_steps"."approval_id" desc
  limit (100001) * 2)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $109 and "approval_steps"."acted_by" = $110
  order by "approval_steps"."approval_id" desc
  limit (100001) * 2))) and "approvals"."applicant_id" = $111 and "approvals"."applicant_id" = $112 and "approvals"."status" = $113
  order by "approvals"."id" desc
  limit 100000) as "approvals"
  where ("approvals"."current_step" = $114 or ("approvals"."current_step" = $115 and not coalesce(((select "approval_steps"."approver_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $116 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $117)) in ((select "users"."id"
  from "users"
  where "users"."tenant_id" = $118 and "users"."status" = $119 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $120 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $121 and "permissions"."code" = $122))))))
    and (approvals.department_id in ((select "departments"."id"
  from "departments"
  where "departments"."tenant_id" = $123 and "departments"."status" = $124)) or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $125 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $126 and "approval_steps"."reassigned" = $127
  limit 1)), false)), false)) or ("approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $128 and "approval_steps"."approver_id" = $129 and "approval_steps"."status" = $130) and coalesce(((select "approval_steps"."approver_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $131 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $132)) in ((select "users"."id"
  from "users"
  where "users"."tenant_id" = $133 and "users"."status" = $134 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $135 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $136 and "permissions"."code" = $137))))))
    and (approvals.department_id in ((select "departments"."id"
  from "departments"
  where "departments"."tenant_id" = $138 and "departments"."status" = $139)) or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $140 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $141 and "approval_steps"."reassigned" = $142
  limit 1)), false)), false)) or ("approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $143 and "approval_steps"."status" = $144 and "approval_steps"."approver_id" = any($145::bigint[])) and "approvals"."applicant_id" != $146 and coalesce(((select "approval_steps"."approver_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $147 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $148)) in ((select "users"."id"
  from "users"
  where "users"."tenant_id" = $149 and "users"."status" = $150 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $151 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $152 and "permissions"."code" = $153))))))
    and (approvals.department_id in ((select "departments"."id"
  from "departments"
  where "departments"."tenant_id" = $154 and "departments"."status" = $155)) or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $156 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $157 and "approval_steps"."reassigned" = $158
  limit 1)), false)), false))) and "approvals"."status" = $159 and "approvals"."department_id" = $160 and "approvals"."created_at" >= $161 and "approvals"."created_at" <= $162 and ("approvals"."title" ilike $163 or "approvals"."type" ilike $164 or "approvals"."business_key" ilike $165)
  order by "approvals"."id" desc
  limit $166;

-- approvals.listSearchedApprovals(most, viewerId, ids, after), in place of line 8 to 13
  where "approval_steps"."tenant_id" = $5 and "approval_steps"."status" = $6 and "approval_steps"."approver_id" = any(array((select "substitutes"."user_id"
  from "substitutes"
  where "substitutes"."tenant_id" = $7 and "substitutes"."starts_at" <= clock_timestamp() and "substitutes"."ends_at" > clock_timestamp() and "substitutes"."substitute_id" = $8 and "substitutes"."substitute_id" in (select "users"."id"
  from "users"
  where "users"."tenant_id" = $9 and "users"."status" = $10 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $11 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $12 and "permissions"."code" = $13))))) and "substitutes"."user_id" in (select "users"."id"
  from "users"
  where "users"."tenant_id" = $14 and "users"."status" = $15 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $16 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $17 and "permissions"."code" = $18)))))))) and "approval_steps"."approval_id" = "approvals"."id"
  limit 1)), false) or "approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $19 and "approval_steps"."acted_by" = $20)) and "approvals"."id" = any($21::bigint[]) and "approvals"."id" > $22
  order by "approvals"."id"
  limit $23;

-- approvals/deciders.findActingLeader(departmentId), in place of line 2 to 11
select "departments"."leader_id", ((select json_build_object('id', users.id, 'name', case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end, 'begun', substitutes.begun) as "stand_in"
  from "substitutes"
  inner join "users" on "users"."tenant_id" = "substitutes"."tenant_id" and "users"."id" = "substitutes"."substitute_id"
  where "substitutes"."tenant_id" = $1 and "substitutes"."starts_at" <= clock_timestamp() and "substitutes"."ends_at" > clock_timestamp() and "substitutes"."user_id" = "departments"."leader_id" and "users"."status" = $2 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $3 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $4 and "permissions"."code" = $5)))))) as "stand_in"
  from "departments"
  where "departments"."tenant_id" = $6 and "departments"."status" = $7 and "departments"."id" = $8 and "departments"."leader_id" in (select "users"."id"
  from "users"
  where "users"."tenant_id" = $9 and "users"."status" = $10 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $11 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $12 and "permissions"."code" = $13)))));

-- approvals/steps.listFirstSteps(), in place of line 17 to 22
  limit 1)), false)), false) as "leader_acts", ((select json_build_object('id', users.id, 'name', case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end, 'begun', substitutes.begun) as "stand_in"
  from "substitutes"
  inner join "users" on "users"."tenant_id" = "substitutes"."tenant_id" and "users"."id" = "substitutes"."substitute_id"
  where "substitutes"."tenant_id" = $13 and "substitutes"."starts_at" <= clock_timestamp() and "substitutes"."ends_at" > clock_timestamp() and "substitutes"."user_id" = "approval_steps"."approver_id" and "users"."status" = $14 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $15 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $16 and "permissions"."code" = $17)))))) as "stand_in"
  from "approval_steps"
  inner join "approvals" on "approvals"."tenant_id" = "approval_steps"."tenant_id" and "approvals"."id" = "approval_steps"."approval_id"
  where "approval_steps"."tenant_id" = $18 and "approvals"."status" = $19 and "approval_steps"."status" = $20 and "approval_steps"."step_order" = $21 and "approval_steps"."id" > $22
  order by "approval_steps"."id"
  limit $23;

-- approvals/steps.listFirstSteps(userId, approverId, departmentId, ids), in place of line 17 to 22
  limit 1)), false)), false) as "leader_acts", ((select json_build_object('id', users.id, 'name', case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end, 'begun', substitutes.begun) as "stand_in"
  from "substitutes"
  inner join "users" on "users"."tenant_id" = "substitutes"."tenant_id" and "users"."id" = "substitutes"."substitute_id"
  where "substitutes"."tenant_id" = $13 and "substitutes"."starts_at" <= clock_timestamp() and "substitutes"."ends_at" > clock_timestamp() and "substitutes"."user_id" = "approval_steps"."approver_id" and "users"."status" = $14 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $15 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $16 and "permissions"."code" = $17)))))) as "stand_in"
  from "approval_steps"
  inner join "approvals" on "approvals"."tenant_id" = "approval_steps"."tenant_id" and "approvals"."id" = "approval_steps"."approval_id"
  where "approval_steps"."tenant_id" = $18 and "approvals"."status" = $19 and "approval_steps"."status" = $20 and "approval_steps"."step_order" = $21 and "approval_steps"."approver_id" = any(array[$22]::bigint[] || array((select "substitutes"."user_id"
  from "substitutes"
  where "substitutes"."tenant_id" = $23 and "substitutes"."starts_at" <= clock_timestamp() and "substitutes"."ends_at" > clock_timestamp() and "substitutes"."substitute_id" = $24))) and "approval_steps"."approver_id" = $25 and "approvals"."id" = any($26::bigint[]) and "approvals"."department_id" = $27 and "approval_steps"."id" > $28
  order by "approval_steps"."id"
  limit $29;

-- files.getFile(filename, readerId, loose, task.seen, task.memberId, approval.seen, approval.viewerId, article.seen, article.seenStatus), in place of line 17 to 23
  where "approval_steps"."tenant_id" = $11 and "approval_steps"."status" = $12 and "approval_steps"."approver_id" = any(array((select "substitutes"."user_id"
  from "substitutes"
  where "substitutes"."tenant_id" = $13 and "substitutes"."starts_at" <= clock_timestamp() and "substitutes"."ends_at" > clock_timestamp() and "substitutes"."substitute_id" = $14 and "substitutes"."substitute_id" in (select "users"."id"
  from "users"
  where "users"."tenant_id" = $15 and "users"."status" = $16 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $17 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $18 and "permissions"."code" = $19))))) and "substitutes"."user_id" in (select "users"."id"
  from "users"
  where "users"."tenant_id" = $20 and "users"."status" = $21 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $22 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $23 and "permissions"."code" = $24)))))))) and "approval_steps"."approval_id" = "approvals"."id"
  limit 1)), false) or "approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $25 and "approval_steps"."acted_by" = $26)) and "approvals"."id" = files.resource_id
  limit 1)), false)) or (files.resource_type = 'article' and coalesce(((select true as "is"
  from "articles"
  where "articles"."tenant_id" = $27 and "articles"."status" = $28 and "articles"."id" = files.resource_id

-- files.listFiles(readerId, loose, task.seen, task.memberId, approval.seen, approval.viewerId, article.seen, article.seenStatus), in place of line 22 to 62
  where "approval_steps"."tenant_id" = $10 and "approval_steps"."status" = $11 and "approval_steps"."approver_id" = any(array((select "substitutes"."user_id"
  from "substitutes"
  where "substitutes"."tenant_id" = $12 and "substitutes"."starts_at" <= clock_timestamp() and "substitutes"."ends_at" > clock_timestamp() and "substitutes"."substitute_id" = $13 and "substitutes"."substitute_id" in (select "users"."id"
  from "users"
  where "users"."tenant_id" = $14 and "users"."status" = $15 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $16 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $17 and "permissions"."code" = $18))))) and "substitutes"."user_id" in (select "users"."id"
  from "users"
  where "users"."tenant_id" = $19 and "users"."status" = $20 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $21 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $22 and "permissions"."code" = $23)))))))) and "approval_steps"."approval_id" = "approvals"."id"
  limit 1)), false) or "approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $24 and "approval_steps"."acted_by" = $25)) and "approvals"."id" = files.resource_id
  limit 1)), false)) or (files.resource_type = 'article' and coalesce(((select true as "is"
  from "articles"
  where "articles"."tenant_id" = $26 and "articles"."status" = $27 and "articles"."id" = files.resource_id
  limit 1)), false)) or false))
  limit $28) as "counted") as "total", exists ((select "files"."id"
  from "files"
  where "files"."tenant_id" = $29
  order by "files"."id" desc
  limit 1 offset 100000)) as "beyond"
  from (select "files"."id", "files"."tenant_id", "files"."filename", "files"."original_name", "files"."content_type", "files"."size", "files"."sha256", "files"."uploader_id", "files"."created_at", "files"."resource_type", "files"."resource_id", "files"."goes_public"
  from "files"
  where "files"."tenant_id" = $30
  order by "files"."id" desc
  limit 100000) as "files"
  where (files.uploader_id = $31
    or files.resource_id is null
    or ((files.resource_type = 'task' and coalesce(((select true as "is"
  from "tasks"
  where "tasks"."tenant_id" = $32 and exists (select 1 as "one"
  from "project_members"
  where "project_members"."tenant_id" = $33 and "project_members"."project_id" = "tasks"."project_id" and "project_members"."user_id" = $34) and "tasks"."is_open" is not null and "tasks"."id" = files.resource_id
  limit 1)), false)) or (files.resource_type = 'approval' and coalesce(((select true as "is"
  from "approvals"
  where "approvals"."tenant_id" = $35 and ("approvals"."applicant_id" = $36 or "approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $37 and "approval_steps"."approver_id" = $38) or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $39 and "approval_steps"."status" = $40 and "approval_steps"."approver_id" = any(array((select "substitutes"."user_id"
  from "substitutes"
  where "substitutes"."tenant_id" = $41 and "substitutes"."starts_at" <= clock_timestamp() and "substitutes"."ends_at" > clock_timestamp() and "substitutes"."substitute_id" = $42 and "substitutes"."substitute_id" in (select "users"."id"
  from "users"
  where "users"."tenant_id" = $43 and "users"."status" = $44 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $45 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $46 and "permissions"."code" = $47))))) and "substitutes"."user_id" in (select "users"."id"
  from "users"
  where "users"."tenant_id" = $48 and "users"."status" = $49 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $50 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $51 and "permissions"."code" = $52)))))))) and "approval_steps"."approval_id" = "approvals"."id"
  limit 1)), false) or "approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $53 and "approval_steps"."acted_by" = $54)) and "approvals"."id" = files.resource_id
  limit 1)), false)) or (files.resource_type = 'article' and coalesce(((select true as "is"
  from "articles"
  where "articles"."tenant_id" = $55 and "articles"."status" = $56 and "articles"."id" = files.resource_id
  limit 1)), false)) or false))
  order by "files"."id" desc
  limit $57;

-- files.listFilesOf(resourceType, resourceId, readerId, loose, task.seen, task.memberId, approval.seen, approval.viewerId, article.seen, article.seenStatus), in place of line 18 to 51
  where "approval_steps"."tenant_id" = $15 and "approval_steps"."status" = $16 and "approval_steps"."approver_id" = any(array((select "substitutes"."user_id"
  from "substitutes"
  where "substitutes"."tenant_id" = $17 and "substitutes"."starts_at" <= clock_timestamp() and "substitutes"."ends_at" > clock_timestamp() and "substitutes"."substitute_id" = $18 and "substitutes"."substitute_id" in (select "users"."id"
  from "users"
  where "users"."tenant_id" = $19 and "users"."status" = $20 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $21 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $22 and "permissions"."code" = $23))))) and "substitutes"."user_id" in (select "users"."id"
  from "users"
  where "users"."tenant_id" = $24 and "users"."status" = $25 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $26 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $27 and "permissions"."code" = $28)))))))) and "approval_steps"."approval_id" = "approvals"."id"
  limit 1)), false) or "approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $29 and "approval_steps"."acted_by" = $30)) and "approvals"."id" = $31::bigint
  limit 1)), false)) or ($32::text = 'article' and coalesce(((select true as "is"
  from "articles"
  where "articles"."tenant_id" = $33 and "articles"."status" = $34 and "articles"."id" = $35::bigint
  limit 1)), false)) or false))
  order by "files"."id" desc
  limit $36) as "counted") as "total"
  from "files"
  where "files"."tenant_id" = $37 and "files"."resource_id" is not null and "files"."resource_type" = $38 and "files"."resource_id" = $39 and (files.uploader_id = $40
    or files.resource_id is null
    or (($41::text = 'task' and coalesce(((select true as "is"
  from "tasks"
  where "tasks"."tenant_id" = $42 and exists (select 1 as "one"
  from "project_members"
  where "project_members"."tenant_id" = $43 and "project_members"."project_id" = "tasks"."project_id" and "project_members"."user_id" = $44) and "tasks"."is_open" is not null and "tasks"."id" = $45::bigint
  limit 1)), false)) or ($46::text = 'approval' and coalesce(((select true as "is"
  from "approvals"
  where "approvals"."tenant_id" = $47 and ("approvals"."applicant_id" = $48 or "approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $49 and "approval_steps"."approver_id" = $50) or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $51 and "approval_steps"."status" = $52 and "approval_steps"."approver_id" = any(array((select "substitutes"."user_id"
  from "substitutes"
  where "substitutes"."tenant_id" = $53 and "substitutes"."starts_at" <= clock_timestamp() and "substitutes"."ends_at" > clock_timestamp() and "substitutes"."substitute_id" = $54 and "substitutes"."substitute_id" in (select "users"."id"
  from "users"
  where "users"."tenant_id" = $55 and "users"."status" = $56 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $57 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $58 and "permissions"."code" = $59))))) and "substitutes"."user_id" in (select "users"."id"
  from "users"
  where "users"."tenant_id" = $60 and "users"."status" = $61 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $62 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $63 and "permissions"."code" = $64)))))))) and "approval_steps"."approval_id" = "approvals"."id"
  limit 1)), false) or "approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $65 and "approval_steps"."acted_by" = $66)) and "approvals"."id" = $67::bigint
  limit 1)), false)) or ($68::text = 'article' and coalesce(((select true as "is"
  from "articles"
  where "articles"."tenant_id" = $69 and "articles"."status" = $70 and "articles"."id" = $71::bigint
  limit 1)), false)) or false))
  order by "files"."id" desc
  limit $72;

-- files.listSearchedFiles(most, readerId, loose, task.seen, task.memberId, approval.seen, approval.viewerId, article.seen, article.seenStatus), in place of line 17 to 26
  where "approval_steps"."tenant_id" = $10 and "approval_steps"."status" = $11 and "approval_steps"."approver_id" = any(array((select "substitutes"."user_id"
  from "substitutes"
  where "substitutes"."tenant_id" = $12 and "substitutes"."starts_at" <= clock_timestamp() and "substitutes"."ends_at" > clock_timestamp() and "substitutes"."substitute_id" = $13 and "substitutes"."substitute_id" in (select "users"."id"
  from "users"
  where "users"."tenant_id" = $14 and "users"."status" = $15 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $16 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $17 and "permissions"."code" = $18))))) and "substitutes"."user_id" in (select "users"."id"
  from "users"
  where "users"."tenant_id" = $19 and "users"."status" = $20 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $21 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $22 and "permissions"."code" = $23)))))))) and "approval_steps"."approval_id" = "approvals"."id"
  limit 1)), false) or "approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $24 and "approval_steps"."acted_by" = $25)) and "approvals"."id" = files.resource_id
  limit 1)), false)) or (files.resource_type = 'article' and coalesce(((select true as "is"
  from "articles"
  where "articles"."tenant_id" = $26 and "articles"."status" = $27 and "articles"."id" = files.resource_id
  limit 1)), false)) or false))
  order by "files"."id"
  limit $28;

-- users.getProfile(id), in place of line 8 to 10
  where "last_sign_ins"."tenant_id" = $2 and "last_sign_ins"."user_id" = "users"."id")) as "last_sign_in_at", users.locale as "locale", "users"."time_zone", users.mail as "mail", users.email_verified_at is not null as "email_verified", users.second_factor_at is not null as "second_factor", "users"."must_change_password", ((select json_build_object('userId', substitutes.substitute_id, 'name', case when "stand_in"."deleted_at" is null
    then coalesce(nullif("stand_in"."nickname", ''), "stand_in"."username") else '' end,
          'from', substitutes.from_day, 'until', substitutes.until_day) as "substitute"
  from "substitutes"
  left join "users" as "stand_in" on "stand_in"."tenant_id" = "substitutes"."tenant_id" and "stand_in"."id" = "substitutes"."substitute_id"
  where "substitutes"."tenant_id" = $3 and "substitutes"."user_id" = "users"."id" and "substitutes"."ends_at" > clock_timestamp())) as "substitute", users.tenant_id || '/' || users.avatar as "avatar_key"
  from "users"
  where "users"."tenant_id" = $4 and "users"."deleted_at" is null and "users"."id" = $5;

-- substitutes.listRepresented(substituteId)
select "substitutes"."user_id"
  from "substitutes"
  where "substitutes"."tenant_id" = $1 and "substitutes"."starts_at" <= clock_timestamp() and "substitutes"."ends_at" > clock_timestamp() and "substitutes"."substitute_id" = $2 and "substitutes"."substitute_id" in (select "users"."id"
  from "users"
  where "users"."tenant_id" = $3 and "users"."status" = $4 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $5 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $6 and "permissions"."code" = $7))))) and "substitutes"."user_id" in (select "users"."id"
  from "users"
  where "users"."tenant_id" = $8 and "users"."status" = $9 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $10 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $11 and "permissions"."code" = $12)))))
  order by "substitutes"."user_id"
  limit $13;

-- substitutes.findSubstitute(userId)
select "substitutes"."substitute_id", "substitutes"."from_day", "substitutes"."until_day", "substitutes"."time_zone", "substitutes"."starts_at", "substitutes"."ends_at", "substitutes"."begun", case when "stand_in"."deleted_at" is null
    then coalesce(nullif("stand_in"."nickname", ''), "stand_in"."username") else '' end as "name"
  from "substitutes"
  left join "users" as "stand_in" on "stand_in"."tenant_id" = "substitutes"."tenant_id" and "stand_in"."id" = "substitutes"."substitute_id"
  where "substitutes"."tenant_id" = $1 and "substitutes"."user_id" = $2 and "substitutes"."ends_at" > clock_timestamp();

-- substitutes.saveSubstitute(userId, substituteId, fromDay, untilDay, timeZone, startsAt, endsAt, begun, createdAt)
insert into "substitutes" ("user_id", "substitute_id", "from_day", "until_day", "time_zone", "starts_at", "ends_at", "begun", "created_at", "tenant_id")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  on conflict ("tenant_id", "user_id") do update
  set "substitute_id" = $11, "from_day" = $12, "until_day" = $13, "time_zone" = $14, "starts_at" = $15, "ends_at" = $16, "begun" = $17, "created_at" = $18;

-- substitutes.removeSubstitute(userId)
delete
  from "substitutes"
  where "substitutes"."tenant_id" = $1 and "substitutes"."user_id" = $2;

-- substitutes.removeStandIns(userId)
delete
  from "substitutes"
  where "substitutes"."tenant_id" = $1 and "substitutes"."substitute_id" = $2;

-- substitutes.listAble()
select "substitutes"."user_id", "users"."id"
  from "substitutes"
  inner join "users" on "users"."tenant_id" = "substitutes"."tenant_id" and "users"."id" = "substitutes"."substitute_id"
  where "substitutes"."tenant_id" = $1 and "substitutes"."ends_at" > clock_timestamp() and "users"."status" = $2 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $3 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $4 and "permissions"."code" = $5))))
  order by "substitutes"."user_id"
  limit $6;

-- substitutes.listAble(substituteId)
select "substitutes"."user_id", "users"."id"
  from "substitutes"
  inner join "users" on "users"."tenant_id" = "substitutes"."tenant_id" and "users"."id" = "substitutes"."substitute_id"
  where "substitutes"."tenant_id" = $1 and "substitutes"."ends_at" > clock_timestamp() and "users"."status" = $2 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $3 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $4 and "permissions"."code" = $5)))) and "substitutes"."substitute_id" = $6
  order by "substitutes"."user_id"
  limit $7;

-- substitutes.listToBegin()
select "substitutes"."user_id", "substitutes"."substitute_id"
  from "substitutes"
  where "substitutes"."tenant_id" = $1 and "substitutes"."starts_at" <= clock_timestamp() and "substitutes"."ends_at" > clock_timestamp() and "substitutes"."begun" = $2
  order by "substitutes"."user_id"
  limit $3;

-- substitutes.listOfOtherZones(timeZone)
select "substitutes"."user_id", "substitutes"."from_day", "substitutes"."until_day", "substitutes"."begun"
  from "substitutes"
  where "substitutes"."tenant_id" = $1 and "substitutes"."time_zone" != $2 and "substitutes"."ends_at" > clock_timestamp()
  order by "substitutes"."user_id"
  limit $3;

-- substitutes.savePeriod(userId, timeZone, startsAt, endsAt, begun)
update "substitutes"
  set "time_zone" = $1, "starts_at" = $2, "ends_at" = $3, "begun" = $4
  where "substitutes"."tenant_id" = $5 and "substitutes"."user_id" = $6;

-- substitutes.markBegun(userId)
update "substitutes"
  set "begun" = $1
  where "substitutes"."tenant_id" = $2 and "substitutes"."user_id" = $3;

-- substitutes.removeEnded(most)
delete
  from "substitutes"
  where "substitutes"."tenant_id" = $1 and "substitutes"."ctid" = any(array((select "substitutes"."ctid" as "place"
  from "substitutes"
  where "substitutes"."tenant_id" = $2 and "substitutes"."ends_at" < now() - interval '1 day'
  order by "substitutes"."ends_at"
  limit $3
  for update skip locked)));
