-- approvals.getApproval(id), in place of line 32 to 37
  limit 1)), false))) as "leader_acts", ((select ((select json_build_object('id', users.id, 'name', case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end, 'begun', substitutes.begun) as "stand_in"
  from "substitutes"
  inner join "users" on "users"."tenant_id" = "substitutes"."tenant_id" and "users"."id" = "substitutes"."substitute_id"
  where "substitutes"."tenant_id" = $12 and "substitutes"."starts_at" <= clock_timestamp() and "substitutes"."ends_at" > clock_timestamp() and "substitutes"."user_id" = "approval_steps"."approver_id" and "users"."status" = $13 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  inner join "role_permissions" on "role_permissions"."tenant_id" = "user_roles"."tenant_id" and "role_permissions"."role_id" = "user_roles"."role_id"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "user_roles"."tenant_id" = $14 and "permissions"."code" = $15))) as "stand_in"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $16 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $17 and "approval_steps"."status" = $18)) as "stand_in"
  from "approvals"
  left join "users" as "applicant" on "applicant"."tenant_id" = "approvals"."tenant_id" and "applicant"."id" = "approvals"."applicant_id"
  where "approvals"."tenant_id" = $19 and "approvals"."id" = $20;

-- approvals.getApproval(id, viewerId), in place of line 32 to 44
  limit 1)), false))) as "leader_acts", ((select ((select json_build_object('id', users.id, 'name', case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end, 'begun', substitutes.begun) as "stand_in"
  from "substitutes"
  inner join "users" on "users"."tenant_id" = "substitutes"."tenant_id" and "users"."id" = "substitutes"."substitute_id"
  where "substitutes"."tenant_id" = $12 and "substitutes"."starts_at" <= clock_timestamp() and "substitutes"."ends_at" > clock_timestamp() and "substitutes"."user_id" = "approval_steps"."approver_id" and "users"."status" = $13 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  inner join "role_permissions" on "role_permissions"."tenant_id" = "user_roles"."tenant_id" and "role_permissions"."role_id" = "user_roles"."role_id"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "user_roles"."tenant_id" = $14 and "permissions"."code" = $15))) as "stand_in"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $16 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $17 and "approval_steps"."status" = $18)) as "stand_in"
  from "approvals"
  left join "users" as "applicant" on "applicant"."tenant_id" = "approvals"."tenant_id" and "applicant"."id" = "approvals"."applicant_id"
  where "approvals"."tenant_id" = $19 and ("approvals"."applicant_id" = $20 or "approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $21 and "approval_steps"."approver_id" = $22) or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $23 and "approval_steps"."status" = $24 and "approval_steps"."approver_id" = any(array((select "substitutes"."user_id"
  from "substitutes"
  where "substitutes"."tenant_id" = $25 and "substitutes"."starts_at" <= clock_timestamp() and "substitutes"."ends_at" > clock_timestamp() and "substitutes"."substitute_id" = $26))) and "approval_steps"."approval_id" = "approvals"."id"
  limit 1)), false) or "approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $27 and "approval_steps"."acted_by" = $28)) and "approvals"."id" = $29;

-- approvals.lockApproval(id, viewerId), in place of line 8 to 11
  where "approval_steps"."tenant_id" = $5 and "approval_steps"."status" = $6 and "approval_steps"."approver_id" = any(array((select "substitutes"."user_id"
  from "substitutes"
  where "substitutes"."tenant_id" = $7 and "substitutes"."starts_at" <= clock_timestamp() and "substitutes"."ends_at" > clock_timestamp() and "substitutes"."substitute_id" = $8))) and "approval_steps"."approval_id" = "approvals"."id"
  limit 1)), false) or "approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $9 and "approval_steps"."acted_by" = $10)) and "approvals"."id" = $11

-- approvals.listApprovals(), in place of line 34 to 40
  limit 1)), false))) as "leader_acts", ((select ((select json_build_object('id', users.id, 'name', case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end, 'begun', substitutes.begun) as "stand_in"
  from "substitutes"
  inner join "users" on "users"."tenant_id" = "substitutes"."tenant_id" and "users"."id" = "substitutes"."substitute_id"
  where "substitutes"."tenant_id" = $13 and "substitutes"."starts_at" <= clock_timestamp() and "substitutes"."ends_at" > clock_timestamp() and "substitutes"."user_id" = "approval_steps"."approver_id" and "users"."status" = $14 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  inner join "role_permissions" on "role_permissions"."tenant_id" = "user_roles"."tenant_id" and "role_permissions"."role_id" = "user_roles"."role_id"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "user_roles"."tenant_id" = $15 and "permissions"."code" = $16))) as "stand_in"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $17 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $18 and "approval_steps"."status" = $19)) as "stand_in"
  from "approvals"
  where "approvals"."tenant_id" = $20 and "approvals"."id" < $21
  order by "approvals"."id" desc
  limit $22;

-- approvals.listApprovals(), in place of line 34 to 40
  limit 1)), false))) as "leader_acts", ((select ((select json_build_object('id', users.id, 'name', case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end, 'begun', substitutes.begun) as "stand_in"
  from "substitutes"
  inner join "users" on "users"."tenant_id" = "substitutes"."tenant_id" and "users"."id" = "substitutes"."substitute_id"
  where "substitutes"."tenant_id" = $13 and "substitutes"."starts_at" <= clock_timestamp() and "substitutes"."ends_at" > clock_timestamp() and "substitutes"."user_id" = "approval_steps"."approver_id" and "users"."status" = $14 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  inner join "role_permissions" on "role_permissions"."tenant_id" = "user_roles"."tenant_id" and "role_permissions"."role_id" = "user_roles"."role_id"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "user_roles"."tenant_id" = $15 and "permissions"."code" = $16))) as "stand_in"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $17 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $18 and "approval_steps"."status" = $19)) as "stand_in"
  from "approvals"
  where "approvals"."tenant_id" = $20
  order by "approvals"."id" desc
  limit $21 offset $22;

-- approvals.listApprovals(), in place of line 35 to 41
  limit 1)), false))) as "leader_acts", ((select ((select json_build_object('id', users.id, 'name', case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end, 'begun', substitutes.begun) as "stand_in"
  from "substitutes"
  inner join "users" on "users"."tenant_id" = "substitutes"."tenant_id" and "users"."id" = "substitutes"."substitute_id"
  where "substitutes"."tenant_id" = $13 and "substitutes"."starts_at" <= clock_timestamp() and "substitutes"."ends_at" > clock_timestamp() and "substitutes"."user_id" = "approval_steps"."approver_id" and "users"."status" = $14 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  inner join "role_permissions" on "role_permissions"."tenant_id" = "user_roles"."tenant_id" and "role_permissions"."role_id" = "user_roles"."role_id"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "user_roles"."tenant_id" = $15 and "permissions"."code" = $16))) as "stand_in"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $17 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $18 and "approval_steps"."status" = $19)) as "stand_in"
  from "approvals"
  where "approvals"."tenant_id" = $20
  order by "approvals"."id" desc
  limit $21) as "window";

-- approvals.listApprovals(viewerId, status), in place of line 34 to 92
  limit 1)), false))) as "leader_acts", ((select ((select json_build_object('id', users.id, 'name', case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end, 'begun', substitutes.begun) as "stand_in"
  from "substitutes"
  inner join "users" on "users"."tenant_id" = "substitutes"."tenant_id" and "users"."id" = "substitutes"."substitute_id"
  where "substitutes"."tenant_id" = $13 and "substitutes"."starts_at" <= clock_timestamp() and "substitutes"."ends_at" > clock_timestamp() and "substitutes"."user_id" = "approval_steps"."approver_id" and "users"."status" = $14 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  inner join "role_permissions" on "role_permissions"."tenant_id" = "user_roles"."tenant_id" and "role_permissions"."role_id" = "user_roles"."role_id"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "user_roles"."tenant_id" = $15 and "permissions"."code" = $16))) as "stand_in"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $17 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $18 and "approval_steps"."status" = $19)) as "stand_in", (select count(*) as "total"
  from (select 1 as "one"
  from (select "approvals"."id", "approvals"."type", "approvals"."title", "approvals"."business_key", "approvals"."applicant_id", "approvals"."department_id", "approvals"."department_name", "approvals"."status", "approvals"."current_step", "approvals"."payload", "approvals"."version", "approvals"."created_at", "approvals"."updated_at", "approvals"."submitted_at", "approvals"."completed_at"
  from "approvals"
  where "approvals"."tenant_id" = $20 and "approvals"."id" in (((select "approvals"."id"
  from "approvals"
  where "approvals"."tenant_id" = $21 and "approvals"."applicant_id" = $22
  order by "approvals"."id" desc
  limit (100001) * 1)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $23 and "approval_steps"."approver_id" = $24
  order by "approval_steps"."approval_id" desc
  limit (100001) * 2)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $25 and "approval_steps"."acted_by" = $26
  order by "approval_steps"."approval_id" desc
  limit (100001) * 2)))
  order by "approvals"."id" desc
  limit 100000) as "approvals"
  where "approvals"."status" = $27
  limit $28) as "counted") as "total", exists ((select "approvals"."id"
  from "approvals"
  where "approvals"."tenant_id" = $29 and "approvals"."id" in (((select "approvals"."id"
  from "approvals"
  where "approvals"."tenant_id" = $30 and "approvals"."applicant_id" = $31
  order by "approvals"."id" desc
  limit (100001) * 1)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $32 and "approval_steps"."approver_id" = $33
  order by "approval_steps"."approval_id" desc
  limit (100001) * 2)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $34 and "approval_steps"."acted_by" = $35
  order by "approval_steps"."approval_id" desc
  limit (100001) * 2)))
  order by "approvals"."id" desc
  limit 1 offset 100000)) as "beyond"
  from (select "approvals"."id", "approvals"."type", "approvals"."title", "approvals"."business_key", "approvals"."applicant_id", "approvals"."department_id", "approvals"."department_name", "approvals"."status", "approvals"."current_step", "approvals"."payload", "approvals"."version", "approvals"."created_at", "approvals"."updated_at", "approvals"."submitted_at", "approvals"."completed_at"
  from "approvals"
  where "approvals"."tenant_id" = $36 and "approvals"."id" in (((select "approvals"."id"
  from "approvals"
  where "approvals"."tenant_id" = $37 and "approvals"."applicant_id" = $38
  order by "approvals"."id" desc
  limit (100001) * 1)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $39 and "approval_steps"."approver_id" = $40
  order by "approval_steps"."approval_id" desc
  limit (100001) * 2)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $41 and "approval_steps"."acted_by" = $42
  order by "approval_steps"."approval_id" desc
  limit (100001) * 2)))
  order by "approvals"."id" desc
  limit 100000) as "approvals"
  where "approvals"."status" = $43
  order by "approvals"."id" desc
  limit $44;

-- approvals.listApprovals(viewerId, applicantId), in place of line 34 to 69
  limit 1)), false))) as "leader_acts", ((select ((select json_build_object('id', users.id, 'name', case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end, 'begun', substitutes.begun) as "stand_in"
  from "substitutes"
  inner join "users" on "users"."tenant_id" = "substitutes"."tenant_id" and "users"."id" = "substitutes"."substitute_id"
  where "substitutes"."tenant_id" = $13 and "substitutes"."starts_at" <= clock_timestamp() and "substitutes"."ends_at" > clock_timestamp() and "substitutes"."user_id" = "approval_steps"."approver_id" and "users"."status" = $14 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  inner join "role_permissions" on "role_permissions"."tenant_id" = "user_roles"."tenant_id" and "role_permissions"."role_id" = "user_roles"."role_id"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "user_roles"."tenant_id" = $15 and "permissions"."code" = $16))) as "stand_in"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $17 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $18 and "approval_steps"."status" = $19)) as "stand_in", (select count(*) as "total"
  from (select 1 as "one"
  from "approvals"
  where "approvals"."tenant_id" = $20 and "approvals"."id" in (((select "approvals"."id"
  from "approvals"
  where "approvals"."tenant_id" = $21 and "approvals"."applicant_id" = $22
  order by "approvals"."id" desc
  limit ($23::integer) * 1)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $24 and "approval_steps"."approver_id" = $25
  order by "approval_steps"."approval_id" desc
  limit ($26::integer) * 2)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $27 and "approval_steps"."acted_by" = $28
  order by "approval_steps"."approval_id" desc
  limit ($29::integer) * 2))) and "approvals"."applicant_id" = $30
  order by "approvals"."id" desc
  limit $31) as "counted") as "total"
  from "approvals"
  where "approvals"."tenant_id" = $32 and "approvals"."id" in (((select "approvals"."id"
  from "approvals"
  where "approvals"."tenant_id" = $33 and "approvals"."applicant_id" = $34
  order by "approvals"."id" desc
  limit ($35::integer) * 1)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $36 and "approval_steps"."approver_id" = $37
  order by "approval_steps"."approval_id" desc
  limit ($38::integer) * 2)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $39 and "approval_steps"."acted_by" = $40
  order by "approval_steps"."approval_id" desc
  limit ($41::integer) * 2))) and "approvals"."applicant_id" = $42
  order by "approvals"."id" desc
  limit $43;

-- approvals.listApprovals(viewerId, approverId), in place of line 34 to 99
  limit 1)), false))) as "leader_acts", ((select ((select json_build_object('id', users.id, 'name', case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end, 'begun', substitutes.begun) as "stand_in"
  from "substitutes"
  inner join "users" on "users"."tenant_id" = "substitutes"."tenant_id" and "users"."id" = "substitutes"."substitute_id"
  where "substitutes"."tenant_id" = $13 and "substitutes"."starts_at" <= clock_timestamp() and "substitutes"."ends_at" > clock_timestamp() and "substitutes"."user_id" = "approval_steps"."approver_id" and "users"."status" = $14 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  inner join "role_permissions" on "role_permissions"."tenant_id" = "user_roles"."tenant_id" and "role_permissions"."role_id" = "user_roles"."role_id"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "user_roles"."tenant_id" = $15 and "permissions"."code" = $16))) as "stand_in"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $17 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $18 and "approval_steps"."status" = $19)) as "stand_in", (select count(*) as "total"
  from (select 1 as "one"
  from "approvals"
  inner join "approval_steps" on "approval_steps"."tenant_id" = "approvals"."tenant_id" and "approval_steps"."approval_id" = "approvals"."id"
  where "approvals"."tenant_id" = $20 and "approvals"."id" in (((select "approvals"."id"
  from "approvals"
  where "approvals"."tenant_id" = $21 and "approvals"."applicant_id" = $22
  order by "approvals"."id" desc
  limit ($23::integer) * 1)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $24 and "approval_steps"."approver_id" = $25
  order by "approval_steps"."approval_id" desc
  limit ($26::integer) * 2)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $27 and "approval_steps"."acted_by" = $28
  order by "approval_steps"."approval_id" desc
  limit ($29::integer) * 2))) and "approval_steps"."approver_id" = $30 and "approval_steps"."status" = $31 and (coalesce(((select true as "is"
  from "users"
  where "users"."tenant_id" = $32 and "users"."status" = $33 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  inner join "role_permissions" on "role_permissions"."tenant_id" = "user_roles"."tenant_id" and "role_permissions"."role_id" = "user_roles"."role_id"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "user_roles"."tenant_id" = $34 and "permissions"."code" = $35) and "users"."id" = $36
  limit 1)), false) and (coalesce(((select true as "is"
  from "departments"
  where "departments"."tenant_id" = $37 and "departments"."status" = $38 and "departments"."id" = "approvals"."department_id"
  limit 1)), false)
    or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $39 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $40 and "approval_steps"."reassigned" = $41
  limit 1)), false)))
  order by "approvals"."id" desc
  limit $42) as "counted") as "total"
  from "approvals"
  inner join "approval_steps" on "approval_steps"."tenant_id" = "approvals"."tenant_id" and "approval_steps"."approval_id" = "approvals"."id"
  where "approvals"."tenant_id" = $43 and "approvals"."id" in (((select "approvals"."id"
  from "approvals"
  where "approvals"."tenant_id" = $44 and "approvals"."applicant_id" = $45
  order by "approvals"."id" desc
  limit ($46::integer) * 1)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $47 and "approval_steps"."approver_id" = $48
  order by "approval_steps"."approval_id" desc
  limit ($49::integer) * 2)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $50 and "approval_steps"."acted_by" = $51
  order by "approval_steps"."approval_id" desc
  limit ($52::integer) * 2))) and "approval_steps"."approver_id" = $53 and "approval_steps"."status" = $54 and (coalesce(((select true as "is"
  from "users"
  where "users"."tenant_id" = $55 and "users"."status" = $56 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  inner join "role_permissions" on "role_permissions"."tenant_id" = "user_roles"."tenant_id" and "role_permissions"."role_id" = "user_roles"."role_id"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "user_roles"."tenant_id" = $57 and "permissions"."code" = $58) and "users"."id" = $59
  limit 1)), false) and (coalesce(((select true as "is"
  from "departments"
  where "departments"."tenant_id" = $60 and "departments"."status" = $61 and "departments"."id" = "approvals"."department_id"
  limit 1)), false)
    or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $62 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $63 and "approval_steps"."reassigned" = $64
  limit 1)), false)))
  order by "approvals"."id" desc
  limit $65;

-- approvals.listApprovals(approverId, orAdministrators), in place of line 34 to 116
  limit 1)), false))) as "leader_acts", ((select ((select json_build_object('id', users.id, 'name', case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end, 'begun', substitutes.begun) as "stand_in"
  from "substitutes"
  inner join "users" on "users"."tenant_id" = "substitutes"."tenant_id" and "users"."id" = "substitutes"."substitute_id"
  where "substitutes"."tenant_id" = $13 and "substitutes"."starts_at" <= clock_timestamp() and "substitutes"."ends_at" > clock_timestamp() and "substitutes"."user_id" = "approval_steps"."approver_id" and "users"."status" = $14 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  inner join "role_permissions" on "role_permissions"."tenant_id" = "user_roles"."tenant_id" and "role_permissions"."role_id" = "user_roles"."role_id"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "user_roles"."tenant_id" = $15 and "permissions"."code" = $16))) as "stand_in"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $17 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $18 and "approval_steps"."status" = $19)) as "stand_in", (select count(*) as "total"
  from (select 1 as "one"
  from (select "approvals"."id", "approvals"."type", "approvals"."title", "approvals"."business_key", "approvals"."applicant_id", "approvals"."department_id", "approvals"."department_name", "approvals"."status", "approvals"."current_step", "approvals"."payload", "approvals"."version", "approvals"."created_at", "approvals"."updated_at", "approvals"."submitted_at", "approvals"."completed_at"
  from "approvals"
  where "approvals"."tenant_id" = $20 and "approvals"."status" = $21
  order by "approvals"."id" desc
  limit 100000) as "approvals"
  where ("approvals"."current_step" = $22 or ("approvals"."current_step" = $23 and not coalesce(((select "approval_steps"."approver_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $24 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $25)) in ((select "users"."id"
  from "users"
  where "users"."tenant_id" = $26 and "users"."status" = $27 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  inner join "role_permissions" on "role_permissions"."tenant_id" = "user_roles"."tenant_id" and "role_permissions"."role_id" = "user_roles"."role_id"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "user_roles"."tenant_id" = $28 and "permissions"."code" = $29)))
    and (approvals.department_id in ((select "departments"."id"
  from "departments"
  where "departments"."tenant_id" = $30 and "departments"."status" = $31)) or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $32 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $33 and "approval_steps"."reassigned" = $34
  limit 1)), false)), false)) or ("approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $35 and "approval_steps"."approver_id" = $36 and "approval_steps"."status" = $37) and coalesce(((select "approval_steps"."approver_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $38 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $39)) in ((select "users"."id"
  from "users"
  where "users"."tenant_id" = $40 and "users"."status" = $41 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  inner join "role_permissions" on "role_permissions"."tenant_id" = "user_roles"."tenant_id" and "role_permissions"."role_id" = "user_roles"."role_id"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "user_roles"."tenant_id" = $42 and "permissions"."code" = $43)))
    and (approvals.department_id in ((select "departments"."id"
  from "departments"
  where "departments"."tenant_id" = $44 and "departments"."status" = $45)) or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $46 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $47 and "approval_steps"."reassigned" = $48
  limit 1)), false)), false)))
  limit $49) as "counted") as "total", exists ((select "approvals"."id"
  from "approvals"
  where "approvals"."tenant_id" = $50 and "approvals"."status" = $51
  order by "approvals"."id" desc
  limit 1 offset 100000)) as "beyond"
  from (select "approvals"."id", "approvals"."type", "approvals"."title", "approvals"."business_key", "approvals"."applicant_id", "approvals"."department_id", "approvals"."department_name", "approvals"."status", "approvals"."current_step", "approvals"."payload", "approvals"."version", "approvals"."created_at", "approvals"."updated_at", "approvals"."submitted_at", "approvals"."completed_at"
  from "approvals"
  where "approvals"."tenant_id" = $52 and "approvals"."status" = $53
  order by "approvals"."id" desc
  limit 100000) as "approvals"
  where ("approvals"."current_step" = $54 or ("approvals"."current_step" = $55 and not coalesce(((select "approval_steps"."approver_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $56 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $57)) in ((select "users"."id"
  from "users"
  where "users"."tenant_id" = $58 and "users"."status" = $59 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  inner join "role_permissions" on "role_permissions"."tenant_id" = "user_roles"."tenant_id" and "role_permissions"."role_id" = "user_roles"."role_id"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "user_roles"."tenant_id" = $60 and "permissions"."code" = $61)))
    and (approvals.department_id in ((select "departments"."id"
  from "departments"
  where "departments"."tenant_id" = $62 and "departments"."status" = $63)) or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $64 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $65 and "approval_steps"."reassigned" = $66
  limit 1)), false)), false)) or ("approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $67 and "approval_steps"."approver_id" = $68 and "approval_steps"."status" = $69) and coalesce(((select "approval_steps"."approver_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $70 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $71)) in ((select "users"."id"
  from "users"
  where "users"."tenant_id" = $72 and "users"."status" = $73 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  inner join "role_permissions" on "role_permissions"."tenant_id" = "user_roles"."tenant_id" and "role_permissions"."role_id" = "user_roles"."role_id"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "user_roles"."tenant_id" = $74 and "permissions"."code" = $75)))
    and (approvals.department_id in ((select "departments"."id"
  from "departments"
  where "departments"."tenant_id" = $76 and "departments"."status" = $77)) or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $78 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $79 and "approval_steps"."reassigned" = $80
  limit 1)), false)), false)))
  order by "approvals"."id" desc
  limit $81;

-- approvals.listApprovals(viewerId, status, pattern, departmentId, from, to, applicantId, ownerId, approverId, represented, orAdministrators), in place of line 34 to 196
  limit 1)), false))) as "leader_acts", ((select ((select json_build_object('id', users.id, 'name', case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end, 'begun', substitutes.begun) as "stand_in"
  from "substitutes"
  inner join "users" on "users"."tenant_id" = "substitutes"."tenant_id" and "users"."id" = "substitutes"."substitute_id"
  where "substitutes"."tenant_id" = $13 and "substitutes"."starts_at" <= clock_timestamp() and "substitutes"."ends_at" > clock_timestamp() and "substitutes"."user_id" = "approval_steps"."approver_id" and "users"."status" = $14 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  inner join "role_permissions" on "role_permissions"."tenant_id" = "user_roles"."tenant_id" and "role_permissions"."role_id" = "user_roles"."role_id"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "user_roles"."tenant_id" = $15 and "permissions"."code" = $16))) as "stand_in"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $17 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $18 and "approval_steps"."status" = $19)) as "stand_in", (select count(*) as "total"
  from (select 1 as "one"
  from (select "approvals"."id", "approvals"."type", "approvals"."title", "approvals"."business_key", "approvals"."applicant_id", "approvals"."department_id", "approvals"."department_name", "approvals"."status", "approvals"."current_step", "approvals"."payload", "approvals"."version", "approvals"."created_at", "approvals"."updated_at", "approvals"."submitted_at", "approvals"."completed_at"
  from "approvals"
  where "approvals"."tenant_id" = $20 and "approvals"."id" in (((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $21 and "approval_steps"."status" = $22 and "approval_steps"."approver_id" = any($23::bigint[])
  order by "approval_steps"."approval_id" desc
  limit (100001) * 1)) union ((select "approvals"."id"
  from "approvals"
  where "approvals"."tenant_id" = $24 and "approvals"."applicant_id" = $25
  order by "approvals"."id" desc
  limit (100001) * 1)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $26 and "approval_steps"."approver_id" = $27
  order by "approval_steps"."approval_id" desc
  limit (100001) * 2)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $28 and "approval_steps"."acted_by" = $29
  order by "approval_steps"."approval_id" desc
  limit (100001) * 2))) and "approvals"."applicant_id" = $30 and "approvals"."applicant_id" = $31 and "approvals"."status" = $32
  order by "approvals"."id" desc
  limit 100000) as "approvals"
  where ("approvals"."current_step" = $33 or ("approvals"."current_step" = $34 and not coalesce(((select "approval_steps"."approver_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $35 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $36)) in ((select "users"."id"
  from "users"
  where "users"."tenant_id" = $37 and "users"."status" = $38 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  inner join "role_permissions" on "role_permissions"."tenant_id" = "user_roles"."tenant_id" and "role_permissions"."role_id" = "user_roles"."role_id"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "user_roles"."tenant_id" = $39 and "permissions"."code" = $40)))
    and (approvals.department_id in ((select "departments"."id"
  from "departments"
  where "departments"."tenant_id" = $41 and "departments"."status" = $42)) or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $43 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $44 and "approval_steps"."reassigned" = $45
  limit 1)), false)), false)) or ("approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $46 and "approval_steps"."approver_id" = $47 and "approval_steps"."status" = $48) and coalesce(((select "approval_steps"."approver_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $49 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $50)) in ((select "users"."id"
  from "users"
  where "users"."tenant_id" = $51 and "users"."status" = $52 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  inner join "role_permissions" on "role_permissions"."tenant_id" = "user_roles"."tenant_id" and "role_permissions"."role_id" = "user_roles"."role_id"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "user_roles"."tenant_id" = $53 and "permissions"."code" = $54)))
    and (approvals.department_id in ((select "departments"."id"
  from "departments"
  where "departments"."tenant_id" = $55 and "departments"."status" = $56)) or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $57 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $58 and "approval_steps"."reassigned" = $59
  limit 1)), false)), false)) or ("approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $60 and "approval_steps"."status" = $61 and "approval_steps"."approver_id" = any($62::bigint[])) and "approvals"."applicant_id" != $63 and coalesce(((select "approval_steps"."approver_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $64 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $65)) in ((select "users"."id"
  from "users"
  where "users"."tenant_id" = $66 and "users"."status" = $67 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  inner join "role_permissions" on "role_permissions"."tenant_id" = "user_roles"."tenant_id" and "role_permissions"."role_id" = "user_roles"."role_id"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "user_roles"."tenant_id" = $68 and "permissions"."code" = $69)))
    and (approvals.department_id in ((select "departments"."id"
  from "departments"
  where "departments"."tenant_id" = $70 and "departments"."status" = $71)) or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $72 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $73 and "approval_steps"."reassigned" = $74
  limit 1)), false)), false))) and "approvals"."status" = $75 and "approvals"."department_id" = $76 and "approvals"."created_at" >= $77 and "approvals"."created_at" <= $78 and ("approvals"."title" ilike $79 or "approvals"."type" ilike $80 or "approvals"."business_key" ilike $81)
  limit $82) as "counted") as "total", exists ((select "approvals"."id"
  from "approvals"
  where "approvals"."tenant_id" = $83 and "approvals"."id" in (((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $84 and "approval_steps"."status" = $85 and "approval_steps"."approver_id" = any($86::bigint[])
  order by "approval_steps"."approval_id" desc
  limit (100001) * 1)) union ((select "approvals"."id"
  from "approvals"
  where "approvals"."tenant_id" = $87 and "approvals"."applicant_id" = $88
  order by "approvals"."id" desc
  limit (100001) * 1)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $89 and "approval_steps"."approver_id" = $90
  order by "approval_steps"."approval_id" desc
  limit (100001) * 2)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $91 and "approval_steps"."acted_by" = $92
  order by "approval_steps"."approval_id" desc
  limit (100001) * 2))) and "approvals"."applicant_id" = $93 and "approvals"."applicant_id" = $94 and "approvals"."status" = $95
  order by "approvals"."id" desc
  limit 1 offset 100000)) as "beyond"
  from (select "approvals"."id", "approvals"."type", "approvals"."title", "approvals"."business_key", "approvals"."applicant_id", "approvals"."department_id", "approvals"."department_name", "approvals"."status", "approvals"."current_step", "approvals"."payload", "approvals"."version", "approvals"."created_at", "approvals"."updated_at", "approvals"."submitted_at", "approvals"."completed_at"
  from "approvals"
  where "approvals"."tenant_id" = $96 and "approvals"."id" in (((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $97 and "approval_steps"."status" = $98 and "approval_steps"."approver_id" = any($99::bigint[])
  order by "approval_steps"."approval_id" desc
  limit (100001) * 1)) union ((select "approvals"."id"
  from "approvals"
  where "approvals"."tenant_id" = $100 and "approvals"."applicant_id" = $101
  order by "approvals"."id" desc
  limit (100001) * 1)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $102 and "approval_steps"."approver_id" = $103
  order by "approval_steps"."approval_id" desc
  limit (100001) * 2)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $104 and "approval_steps"."acted_by" = $105
  order by "approval_steps"."approval_id" desc
  limit (100001) * 2))) and "approvals"."applicant_id" = $106 and "approvals"."applicant_id" = $107 and "approvals"."status" = $108
  order by "approvals"."id" desc
  limit 100000) as "approvals"
  where ("approvals"."current_step" = $109 or ("approvals"."current_step" = $110 and not coalesce(((select "approval_steps"."approver_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $111 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $112)) in ((select "users"."id"
  from "users"
  where "users"."tenant_id" = $113 and "users"."status" = $114 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  inner join "role_permissions" on "role_permissions"."tenant_id" = "user_roles"."tenant_id" and "role_permissions"."role_id" = "user_roles"."role_id"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "user_roles"."tenant_id" = $115 and "permissions"."code" = $116)))
    and (approvals.department_id in ((select "departments"."id"
  from "departments"
  where "departments"."tenant_id" = $117 and "departments"."status" = $118)) or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $119 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $120 and "approval_steps"."reassigned" = $121
  limit 1)), false)), false)) or ("approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $122 and "approval_steps"."approver_id" = $123 and "approval_steps"."status" = $124) and coalesce(((select "approval_steps"."approver_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $125 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $126)) in ((select "users"."id"
  from "users"
  where "users"."tenant_id" = $127 and "users"."status" = $128 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  inner join "role_permissions" on "role_permissions"."tenant_id" = "user_roles"."tenant_id" and "role_permissions"."role_id" = "user_roles"."role_id"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "user_roles"."tenant_id" = $129 and "permissions"."code" = $130)))
    and (approvals.department_id in ((select "departments"."id"
  from "departments"
  where "departments"."tenant_id" = $131 and "departments"."status" = $132)) or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $133 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $134 and "approval_steps"."reassigned" = $135
  limit 1)), false)), false)) or ("approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $136 and "approval_steps"."status" = $137 and "approval_steps"."approver_id" = any($138::bigint[])) and "approvals"."applicant_id" != $139 and coalesce(((select "approval_steps"."approver_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $140 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $141)) in ((select "users"."id"
  from "users"
  where "users"."tenant_id" = $142 and "users"."status" = $143 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  inner join "role_permissions" on "role_permissions"."tenant_id" = "user_roles"."tenant_id" and "role_permissions"."role_id" = "user_roles"."role_id"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "user_roles"."tenant_id" = $144 and "permissions"."code" = $145)))
    and (approvals.department_id in ((select "departments"."id"
  from "departments"
  where "departments"."tenant_id" = $146 and "departments"."status" = $147)) or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $148 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $149 and "approval_steps"."reassigned" = $150
  limit 1)), false)), false))) and "approvals"."status" = $151 and "approvals"."department_id" = $152 and "approvals"."created_at" >= $153 and "approvals"."created_at" <= $154 and ("approvals"."title" ilike $155 or "approvals"."type" ilike $156 or "approvals"."business_key" ilike $157)
  order by "approvals"."id" desc
  limit $158;

-- approvals/deciders.findActingLeader(departmentId), in place of line 2 to 10
select "departments"."leader_id", ((select json_build_object('id', users.id, 'name', case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end, 'begun', substitutes.begun) as "stand_in"
  from "substitutes"
  inner join "users" on "users"."tenant_id" = "substitutes"."tenant_id" and "users"."id" = "substitutes"."substitute_id"
  where "substitutes"."tenant_id" = $1 and "substitutes"."starts_at" <= clock_timestamp() and "substitutes"."ends_at" > clock_timestamp() and "substitutes"."user_id" = "departments"."leader_id" and "users"."status" = $2 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  inner join "role_permissions" on "role_permissions"."tenant_id" = "user_roles"."tenant_id" and "role_permissions"."role_id" = "user_roles"."role_id"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "user_roles"."tenant_id" = $3 and "permissions"."code" = $4))) as "stand_in"
  from "departments"
  where "departments"."tenant_id" = $5 and "departments"."status" = $6 and "departments"."id" = $7 and "departments"."leader_id" in (select "users"."id"
  from "users"
  where "users"."tenant_id" = $8 and "users"."status" = $9 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  inner join "role_permissions" on "role_permissions"."tenant_id" = "user_roles"."tenant_id" and "role_permissions"."role_id" = "user_roles"."role_id"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "user_roles"."tenant_id" = $10 and "permissions"."code" = $11));

-- approvals/steps.listFirstSteps(), in place of line 16 to 21
  limit 1)), false)), false) as "leader_acts", ((select json_build_object('id', users.id, 'name', case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end, 'begun', substitutes.begun) as "stand_in"
  from "substitutes"
  inner join "users" on "users"."tenant_id" = "substitutes"."tenant_id" and "users"."id" = "substitutes"."substitute_id"
  where "substitutes"."tenant_id" = $12 and "substitutes"."starts_at" <= clock_timestamp() and "substitutes"."ends_at" > clock_timestamp() and "substitutes"."user_id" = "approval_steps"."approver_id" and "users"."status" = $13 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  inner join "role_permissions" on "role_permissions"."tenant_id" = "user_roles"."tenant_id" and "role_permissions"."role_id" = "user_roles"."role_id"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "user_roles"."tenant_id" = $14 and "permissions"."code" = $15))) as "stand_in"
  from "approval_steps"
  inner join "approvals" on "approvals"."tenant_id" = "approval_steps"."tenant_id" and "approvals"."id" = "approval_steps"."approval_id"
  where "approval_steps"."tenant_id" = $16 and "approvals"."status" = $17 and "approval_steps"."status" = $18 and "approval_steps"."step_order" = $19
  order by "approval_steps"."id"
  limit $20;

-- approvals/steps.listFirstSteps(userId, approverId, departmentId, ids), in place of line 16 to 21
  limit 1)), false)), false) as "leader_acts", ((select json_build_object('id', users.id, 'name', case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end, 'begun', substitutes.begun) as "stand_in"
  from "substitutes"
  inner join "users" on "users"."tenant_id" = "substitutes"."tenant_id" and "users"."id" = "substitutes"."substitute_id"
  where "substitutes"."tenant_id" = $12 and "substitutes"."starts_at" <= clock_timestamp() and "substitutes"."ends_at" > clock_timestamp() and "substitutes"."user_id" = "approval_steps"."approver_id" and "users"."status" = $13 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  inner join "role_permissions" on "role_permissions"."tenant_id" = "user_roles"."tenant_id" and "role_permissions"."role_id" = "user_roles"."role_id"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "user_roles"."tenant_id" = $14 and "permissions"."code" = $15))) as "stand_in"
  from "approval_steps"
  inner join "approvals" on "approvals"."tenant_id" = "approval_steps"."tenant_id" and "approvals"."id" = "approval_steps"."approval_id"
  where "approval_steps"."tenant_id" = $16 and "approvals"."status" = $17 and "approval_steps"."status" = $18 and "approval_steps"."step_order" = $19 and "approval_steps"."approver_id" = any(array[$20]::bigint[] || array((select "substitutes"."user_id"
  from "substitutes"
  where "substitutes"."tenant_id" = $21 and "substitutes"."starts_at" <= clock_timestamp() and "substitutes"."ends_at" > clock_timestamp() and "substitutes"."substitute_id" = $22))) and "approval_steps"."approver_id" = $23 and "approvals"."id" = any($24::bigint[]) and "approvals"."department_id" = $25
  order by "approval_steps"."id"
  limit $26;

-- files.getFile(filename, readerId, loose, task.seen, task.memberId, approval.seen, approval.viewerId, article.seen, article.seenStatus), in place of line 17 to 23
  where "approval_steps"."tenant_id" = $11 and "approval_steps"."status" = $12 and "approval_steps"."approver_id" = any(array((select "substitutes"."user_id"
  from "substitutes"
  where "substitutes"."tenant_id" = $13 and "substitutes"."starts_at" <= clock_timestamp() and "substitutes"."ends_at" > clock_timestamp() and "substitutes"."substitute_id" = $14))) and "approval_steps"."approval_id" = "approvals"."id"
  limit 1)), false) or "approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $15 and "approval_steps"."acted_by" = $16)) and "approvals"."id" = files.resource_id
  limit 1)), false)) or (files.resource_type = 'article' and coalesce(((select true as "is"
  from "articles"
  where "articles"."tenant_id" = $17 and "articles"."status" = $18 and "articles"."id" = files.resource_id

-- files.listFiles(readerId, loose, task.seen, task.memberId, approval.seen, approval.viewerId, article.seen, article.seenStatus), in place of line 22 to 62
  where "approval_steps"."tenant_id" = $10 and "approval_steps"."status" = $11 and "approval_steps"."approver_id" = any(array((select "substitutes"."user_id"
  from "substitutes"
  where "substitutes"."tenant_id" = $12 and "substitutes"."starts_at" <= clock_timestamp() and "substitutes"."ends_at" > clock_timestamp() and "substitutes"."substitute_id" = $13))) and "approval_steps"."approval_id" = "approvals"."id"
  limit 1)), false) or "approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $14 and "approval_steps"."acted_by" = $15)) and "approvals"."id" = files.resource_id
  limit 1)), false)) or (files.resource_type = 'article' and coalesce(((select true as "is"
  from "articles"
  where "articles"."tenant_id" = $16 and "articles"."status" = $17 and "articles"."id" = files.resource_id
  limit 1)), false)) or false))
  limit $18) as "counted") as "total", exists ((select "files"."id"
  from "files"
  where "files"."tenant_id" = $19
  order by "files"."id" desc
  limit 1 offset 100000)) as "beyond"
  from (select "files"."id", "files"."tenant_id", "files"."filename", "files"."original_name", "files"."content_type", "files"."size", "files"."sha256", "files"."uploader_id", "files"."created_at", "files"."resource_type", "files"."resource_id", "files"."goes_public"
  from "files"
  where "files"."tenant_id" = $20
  order by "files"."id" desc
  limit 100000) as "files"
  where (files.uploader_id = $21
    or files.resource_id is null
    or ((files.resource_type = 'task' and coalesce(((select true as "is"
  from "tasks"
  where "tasks"."tenant_id" = $22 and exists (select 1 as "one"
  from "project_members"
  where "project_members"."tenant_id" = $23 and "project_members"."project_id" = "tasks"."project_id" and "project_members"."user_id" = $24) and "tasks"."id" = files.resource_id
  limit 1)), false)) or (files.resource_type = 'approval' and coalesce(((select true as "is"
  from "approvals"
  where "approvals"."tenant_id" = $25 and ("approvals"."applicant_id" = $26 or "approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $27 and "approval_steps"."approver_id" = $28) or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $29 and "approval_steps"."status" = $30 and "approval_steps"."approver_id" = any(array((select "substitutes"."user_id"
  from "substitutes"
  where "substitutes"."tenant_id" = $31 and "substitutes"."starts_at" <= clock_timestamp() and "substitutes"."ends_at" > clock_timestamp() and "substitutes"."substitute_id" = $32))) and "approval_steps"."approval_id" = "approvals"."id"
  limit 1)), false) or "approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $33 and "approval_steps"."acted_by" = $34)) and "approvals"."id" = files.resource_id
  limit 1)), false)) or (files.resource_type = 'article' and coalesce(((select true as "is"
  from "articles"
  where "articles"."tenant_id" = $35 and "articles"."status" = $36 and "articles"."id" = files.resource_id
  limit 1)), false)) or false))
  order by "files"."id" desc
  limit $37;

-- files.listFilesOf(resourceType, resourceId, readerId, loose, task.seen, task.memberId, approval.seen, approval.viewerId, article.seen, article.seenStatus), in place of line 18 to 51
  where "approval_steps"."tenant_id" = $15 and "approval_steps"."status" = $16 and "approval_steps"."approver_id" = any(array((select "substitutes"."user_id"
  from "substitutes"
  where "substitutes"."tenant_id" = $17 and "substitutes"."starts_at" <= clock_timestamp() and "substitutes"."ends_at" > clock_timestamp() and "substitutes"."substitute_id" = $18))) and "approval_steps"."approval_id" = "approvals"."id"
  limit 1)), false) or "approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $19 and "approval_steps"."acted_by" = $20)) and "approvals"."id" = $21::bigint
  limit 1)), false)) or ($22::text = 'article' and coalesce(((select true as "is"
  from "articles"
  where "articles"."tenant_id" = $23 and "articles"."status" = $24 and "articles"."id" = $25::bigint
  limit 1)), false)) or false))
  order by "files"."id" desc
  limit $26) as "counted") as "total"
  from "files"
  where "files"."tenant_id" = $27 and "files"."resource_id" is not null and "files"."resource_type" = $28 and "files"."resource_id" = $29 and (files.uploader_id = $30
    or files.resource_id is null
    or (($31::text = 'task' and coalesce(((select true as "is"
  from "tasks"
  where "tasks"."tenant_id" = $32 and exists (select 1 as "one"
  from "project_members"
  where "project_members"."tenant_id" = $33 and "project_members"."project_id" = "tasks"."project_id" and "project_members"."user_id" = $34) and "tasks"."id" = $35::bigint
  limit 1)), false)) or ($36::text = 'approval' and coalesce(((select true as "is"
  from "approvals"
  where "approvals"."tenant_id" = $37 and ("approvals"."applicant_id" = $38 or "approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $39 and "approval_steps"."approver_id" = $40) or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $41 and "approval_steps"."status" = $42 and "approval_steps"."approver_id" = any(array((select "substitutes"."user_id"
  from "substitutes"
  where "substitutes"."tenant_id" = $43 and "substitutes"."starts_at" <= clock_timestamp() and "substitutes"."ends_at" > clock_timestamp() and "substitutes"."substitute_id" = $44))) and "approval_steps"."approval_id" = "approvals"."id"
  limit 1)), false) or "approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $45 and "approval_steps"."acted_by" = $46)) and "approvals"."id" = $47::bigint
  limit 1)), false)) or ($48::text = 'article' and coalesce(((select true as "is"
  from "articles"
  where "articles"."tenant_id" = $49 and "articles"."status" = $50 and "articles"."id" = $51::bigint
  limit 1)), false)) or false))
  order by "files"."id" desc
  limit $52;

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
  inner join "role_permissions" on "role_permissions"."tenant_id" = "user_roles"."tenant_id" and "role_permissions"."role_id" = "user_roles"."role_id"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "user_roles"."tenant_id" = $5 and "permissions"."code" = $6)) and "substitutes"."user_id" in (select "users"."id"
  from "users"
  where "users"."tenant_id" = $7 and "users"."status" = $8 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  inner join "role_permissions" on "role_permissions"."tenant_id" = "user_roles"."tenant_id" and "role_permissions"."role_id" = "user_roles"."role_id"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "user_roles"."tenant_id" = $9 and "permissions"."code" = $10))
  order by "substitutes"."user_id"
  limit $11;

-- substitutes.findCandidate(id)
select "users"."id", "users"."status", coalesce(nullif(users.nickname, ''), users.username) as "name", users.id in ((select "user_roles"."user_id"
  from "user_roles"
  inner join "role_permissions" on "role_permissions"."tenant_id" = "user_roles"."tenant_id" and "role_permissions"."role_id" = "user_roles"."role_id"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "user_roles"."tenant_id" = $1 and "permissions"."code" = $2)) as "may_decide"
  from "users"
  where "users"."tenant_id" = $3 and "users"."deleted_at" is null and "users"."is_service" is false and "users"."id" = $4;

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
  inner join "role_permissions" on "role_permissions"."tenant_id" = "user_roles"."tenant_id" and "role_permissions"."role_id" = "user_roles"."role_id"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "user_roles"."tenant_id" = $3 and "permissions"."code" = $4)
  order by "substitutes"."user_id"
  limit $5;

-- substitutes.listAble(substituteId)
select "substitutes"."user_id", "users"."id"
  from "substitutes"
  inner join "users" on "users"."tenant_id" = "substitutes"."tenant_id" and "users"."id" = "substitutes"."substitute_id"
  where "substitutes"."tenant_id" = $1 and "substitutes"."ends_at" > clock_timestamp() and "users"."status" = $2 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  inner join "role_permissions" on "role_permissions"."tenant_id" = "user_roles"."tenant_id" and "role_permissions"."role_id" = "user_roles"."role_id"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "user_roles"."tenant_id" = $3 and "permissions"."code" = $4) and "substitutes"."substitute_id" = $5
  order by "substitutes"."user_id"
  limit $6;

-- substitutes.listToBegin()
select "substitutes"."user_id", "substitutes"."substitute_id"
  from "substitutes"
  where "substitutes"."tenant_id" = $1 and "substitutes"."starts_at" <= clock_timestamp() and "substitutes"."ends_at" > clock_timestamp() and "substitutes"."begun" = $2
  order by "substitutes"."user_id"
  limit $3;

-- substitutes.listOfOtherZones(timeZone)
select "substitutes"."user_id", "substitutes"."from_day", "substitutes"."until_day"
  from "substitutes"
  where "substitutes"."tenant_id" = $1 and "substitutes"."time_zone" != $2 and "substitutes"."ends_at" > clock_timestamp()
  order by "substitutes"."user_id"
  limit $3;

-- substitutes.savePeriod(userId, timeZone, startsAt, endsAt)
update "substitutes"
  set "time_zone" = $1, "starts_at" = $2, "ends_at" = $3
  where "substitutes"."tenant_id" = $4 and "substitutes"."user_id" = $5;

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
